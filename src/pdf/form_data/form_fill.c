#include "pdf/form_data/form_fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/nearest.h"
#include "base/scope.h"
#include "pdf/form_data/form_calculate.h"
#include "pdf/form_data/form_script.h"
#include "pdf/form_data/form_set.h"
#include "pdf/forms/field_inherited.h"
#include "pdf/forms/sigfields.h"

struct filling {
    struct form_fill *fill;
    struct pdf_doc *doc;
    struct form_fields fields;
    struct key_map names; /* to the last field of that name */
    size_t *same;         /* of each field: the one before it of that name; SIZE_MAX: none */
    bool *given, *changed, *drawn; /* those that got a value, another value, an appearance */
    bool joined;
    struct form_pictures pictures;
    struct tool_run *run;
    struct err *err;
};

static void filling_free(struct filling *f)
{
    form_fields_free(&f->fields);
    key_map_free(&f->names);
    form_pictures_free(&f->pictures);
    free(f->same);
    free(f->given);
    free(f->changed);
    free(f->drawn);
}
#define AUTO_FILLING __attribute__((cleanup(filling_free)))

static int index_names(struct filling *f)
{
    size_t n = f->fields.n;

    f->same = calloc(n + 1, sizeof *f->same);
    f->given = calloc(n + 1, sizeof *f->given);
    f->changed = calloc(n + 1, sizeof *f->changed);
    f->drawn = calloc(n + 1, sizeof *f->drawn);
    if (!f->same || !f->given || !f->changed || !f->drawn)
        return pdf_doc_no_memory(f->err);
    for (size_t i = 0; i < n; i++) {
        const char *name = f->fields.items[i].name;
        int64_t before = -1;

        key_map_find(&f->names, name, strlen(name), &before);
        f->same[i] = before < 0 ? SIZE_MAX : (size_t) before;
        key_map_put(&f->names, name, strlen(name), (int64_t) i);
    }
    return f->names.failed ? pdf_doc_no_memory(f->err) : 0;
}

static const char *name_at(const void *arg, size_t i)
{
    const struct form_fields *fields = arg;

    return i < fields->n ? fields->items[i].name : NULL;
}

static int refuse_unknown(struct filling *f, const char *name)
{
    const char *meant = f->fields.n < 10000 ? nearest_name(name, name_at, &f->fields) : NULL;

    if (meant)
        return form_values_wrong(f->err, "the form has no field \"%.60s\": is \"%.80s\" meant?",
                                 name, meant);
    return form_values_wrong(
        f->err, "the form has no field \"%.80s\": form-fields lists those it has", name);
}

static int set_value(struct filling *f, const struct form_value *value)
{
    int64_t at;

    if (!key_map_find(&f->names, value->name, strlen(value->name), &at)) {
        f->fill->unknown++;
        return f->fill->ignore_unknown ? 0 : refuse_unknown(f, value->name);
    }
    for (size_t i = (size_t) at; i != SIZE_MAX; i = f->same[i]) {
        struct form_field *field = &f->fields.items[i];

        /* What form-fields lists may be given back whole, with what takes no value. */
        if (value->type == FORM_VALUE_CLEAR &&
            (field->kind == FORM_SIGNATURE || field->kind == FORM_BUTTON ||
             field->kind == FORM_UNKNOWN))
            continue;
        if (form_set(&f->fields, field, value, &f->joined, f->err) < 0)
            return -1;
        f->given[i] = f->changed[i] = true;
    }
    f->fill->filled++;
    return 0;
}

static bool is_text_field(const struct form_field *field)
{
    return field->kind == FORM_TEXT || field->kind == FORM_LIST || field->kind == FORM_COMBO;
}

/* A form that leaves the appearances of its fields to viewers (NeedAppearances) is given all of
 * them here: viewers differ in scripts and fonts. */
static void draw_all(struct filling *f)
{
    AUTO_OBJ struct obj asked = obj_key(f->fields.form, "/NeedAppearances");
    bool all = false;

    if (!obj_is_bool(asked, &all) || !all)
        return;
    for (size_t i = 0; i < f->fields.n; i++)
        f->drawn[i] = is_text_field(&f->fields.items[i]);
    obj_remove(f->fields.form, "/NeedAppearances");
}

/* Shows a value as the field's format does. A date that was given as in ISO 8601 becomes the value
 * that a person would have typed. */
static int show_value(struct filling *f, struct form_field *field)
{
    AUTO_FORM_SCRIPT struct form_script script = { 0 };
    AUTO_BUF struct buf value = BUF_EMPTY, shown = BUF_EMPTY;
    bool formatted;

    form_script_read(&script, field->dict, "/F");
    form_value_read(field, &value);
    formatted =
        value.len > 0 && form_script_format(&script, buf_text(&value), &shown) && !shown.failed;
    if (formatted && script.kind == FORM_SCRIPT_DATE) {
        AUTO_OBJ struct obj text = obj_new_string(field->dict.q, buf_text(&shown), shown.len);

        obj_set(field->dict, "/V", text);
    }
    return form_show(&f->fields, field, formatted ? buf_text(&shown) : NULL, &f->pictures, f->err);
}

static int note_object(struct form_fill *fill, struct obj object, struct err *err)
{
    if (!obj_is_indirect(object))
        return err_set(err, ERR_UNSUPPORTED_CONTENT,
                       "a field of the signed form has no object of its own");
    if (!LIST_ROOM(fill->objects, fill->n_objects, fill->cap))
        return pdf_doc_no_memory(err);
    fill->objects[fill->n_objects++] = obj_same(object);
    return 0;
}

/* The objects of each field that changed, if the signatures of the document allow it. */
static int note_objects(struct filling *f)
{
    AUTO_SIGFIELDS struct sigfields signatures = { 0 };
    bool certified;

    if (sigfields_read(&signatures, f->doc->q, f->err) < 0)
        return -1;
    for (size_t i = 0; i < f->fields.n; i++) {
        const struct form_field *field = &f->fields.items[i];

        if (!f->changed[i])
            continue;
        if (sigfields_check_locks(&signatures, f->doc->q, field->name, &certified, f->err) < 0)
            return err_set(f->err, ERR_UNSUPPORTED_CONTENT,
                           "a signature of the document does not allow its field \"%.80s\" to "
                           "change",
                           field->name);
        if (note_object(f->fill, field->dict, f->err) < 0)
            return -1;
        for (size_t j = 0; j < field->n_widgets; j++) {
            struct obj widget = f->fields.widgets[field->widget + j].dict;

            if (obj_id(widget) != obj_id(field->dict) && note_object(f->fill, widget, f->err) < 0)
                return -1;
        }
    }
    return 0;
}

static int show_changed(struct filling *f)
{
    for (size_t i = 0; i < f->fields.n; i++) {
        struct form_field *field = &f->fields.items[i];

        if ((f->drawn[i] || (f->changed[i] && is_text_field(field))) && show_value(f, field) < 0)
            return -1;
        for (size_t j = 0; j < field->n_widgets && f->changed[i]; j++) {
            struct obj widget = f->fields.widgets[field->widget + j].dict;

            if (obj_id(widget))
                key_map_add_id(&f->fill->changed, obj_id(widget));
        }
    }
    if (f->fill->changed.failed)
        return pdf_doc_no_memory(f->err);
    return form_pictures_end(&f->pictures, f->doc->q, f->err);
}

static void make_read_only(struct filling *f)
{
    for (size_t i = 0; i < f->fields.n; i++)
        obj_set_int(f->fields.items[i].dict, "/Ff", f->fields.items[i].flags | FORM_READ_ONLY);
}

static void warn_of_fields(struct filling *f, size_t left, const char *first)
{
    struct form_fill *fill = f->fill;

    if (fill->unknown > 0)
        tool_warn(f->run, "unknown_fields", "the form does not have %zu of the fields in the data",
                  fill->unknown);
    if (f->pictures.failed > 0) {
        AUTO_OBJ struct obj yes = obj_parse(f->doc->q, "true");

        obj_set(f->fields.form, "/NeedAppearances", yes);
        tool_warn(f->run, "value_not_drawn",
                  "the values of %zu fields are set, but cannot be drawn here: viewers draw them",
                  f->pictures.failed);
    }
    if (f->joined)
        tool_warn(f->run, "line_breaks_joined",
                  "line breaks in the values of fields of one line became blanks");
    if (left > 0)
        tool_warn(f->run, "script_not_run",
                  "%zu fields are calculated by scripts that are not run here, the first is "
                  "\"%.100s\": give their values, too",
                  left, first);
}

static int check_form(struct filling *f)
{
    if (f->fields.xfa_only)
        return err_set(f->err, ERR_UNSUPPORTED_CONTENT,
                       "the document is an XFA form: it has no fields of its own that can be "
                       "filled in");
    if (f->fields.n == 0)
        return err_set(f->err, ERR_UNSUPPORTED_CONTENT, "the document has no form fields");
    if (!f->fields.xfa)
        return 0;
    if (f->fill->signed_)
        return err_set(f->err, ERR_UNSUPPORTED_CONTENT,
                       "the signed form is also an XFA form, which would show the old values");
    obj_remove(f->fields.form, "/XFA");
    tool_warn(f->run, "xfa_removed",
              "the form was also an XFA form, which is removed: it would show the old values");
    return 0;
}

int form_fill_row(struct form_fill *fill, struct pdf_doc *doc, const struct form_row *row,
                  struct tool_run *run, struct err *err)
{
    AUTO_FILLING struct filling f = { .fill = fill, .doc = doc, .run = run, .err = err };
    const char *first;
    size_t left;

    form_fill_free(fill);
    fill->filled = fill->unknown = 0;
    f.pictures.painter = fill->painter;
    if (form_fields_read(&f.fields, doc, err) < 0 || check_form(&f) < 0 || index_names(&f) < 0)
        return -1;
    for (size_t i = 0; i < row->n; i++)
        if (set_value(&f, &row->items[i]) < 0)
            return -1;
    if (form_calculate(&f.fields, f.given, f.changed, &left, &first, err) < 0)
        return -1;
    if (!fill->signed_)
        draw_all(&f);
    if ((fill->signed_ && note_objects(&f) < 0) || show_changed(&f) < 0)
        return -1;
    if (fill->read_only)
        make_read_only(&f);
    warn_of_fields(&f, left, first);
    return 0;
}

void form_fill_free(struct form_fill *fill)
{
    key_map_free(&fill->changed);
    fill->changed = (struct key_map){ 0 };
    for (size_t i = 0; i < fill->n_objects; i++)
        obj_drop(&fill->objects[i]);
    free(fill->objects);
    fill->objects = NULL;
    fill->n_objects = fill->cap = 0;
}
