#include "pdf/form_data/form_set.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/form_data/form_state.h"
#include "pdf/forms/field_inherited.h"
#include "pdf/forms/field_widget.h"

static void set_string(struct obj dict, const char *key, const char *text)
{
    AUTO_OBJ struct obj string = { dict.q, qpdf_oh_new_unicode_string(dict.q, text) };

    obj_set(dict, key, string);
}

/* Removes what kids say of a value that only their field has. */
static void clear_kids(struct form_fields *fields, const struct form_field *field)
{
    for (size_t i = 0; i < field->n_widgets; i++) {
        struct obj widget = fields->widgets[field->widget + i].dict;

        if (obj_id(widget) != obj_id(field->dict))
            obj_remove(widget, "/V");
    }
    obj_remove(field->dict, "/RV");
}

static size_t count_characters(const char *text)
{
    size_t n = 0;

    for (size_t at = 0; utf8_next(text, strlen(text), &at);)
        n++;
    return n;
}

static int set_text(struct form_fields *fields, struct form_field *field,
                    const struct form_value *value, bool *joined, struct err *err)
{
    long long most = field_inherited_int(field->dict, fields->form, "/MaxLen");
    AUTO_FREE char *text = NULL;

    if (value->type == FORM_VALUE_TRUE || value->type == FORM_VALUE_FALSE || value->n > 1)
        return form_values_wrong(err, "the field \"%.80s\" takes one text", field->name);
    text = strdup(value->n ? value->texts[0] : "");
    if (!text)
        return pdf_doc_no_memory(err);
    if (most > 0 && count_characters(text) > (size_t) most)
        return form_values_wrong(err,
                                 "the value of the field \"%.80s\" has more than the %lld "
                                 "characters that it takes",
                                 field->name, most);
    for (char *at = text; *at && !(field->flags & FIELD_MULTI_LINE); at++)
        if (*at == '\n' || *at == '\r') {
            *at = ' ';
            *joined = true;
        }
    clear_kids(fields, field);
    set_string(field->dict, "/V", text);
    return 0;
}

/* The option of a choice with that value or, if there is none, with that label: its place, or -1.
 */
static int find_option(struct obj options, const char *text)
{
    int labelled = -1;

    for (int i = 0, n = obj_count(options); i < n; i++) {
        AUTO_OBJ struct obj option = obj_item(options, i);
        AUTO_OBJ struct obj first = obj_item(option, 0);
        AUTO_OBJ struct obj second = obj_item(option, 1);

        if (strcmp(form_text(obj_is_array(option) ? first : option), text) == 0)
            return i;
        if (labelled < 0 && obj_is_array(option) && strcmp(form_text(second), text) == 0)
            labelled = i;
    }
    return labelled;
}

static void append_option(struct obj list, struct obj options, int at)
{
    AUTO_OBJ struct obj option = obj_item(options, at);
    AUTO_OBJ struct obj first = obj_item(option, 0);

    obj_append(list, obj_is_array(option) ? first : option);
}

static int compare_ints(const void *a, const void *b)
{
    const int x = *(const int *) a, y = *(const int *) b;

    return (x > y) - (x < y);
}

/* /I, the places of the selected options in ascending order, and /TI, the one at the top of the
 * list. */
static void set_places(struct obj dict, int *places, size_t n)
{
    AUTO_OBJ struct obj list = obj_new_array(dict.q);

    qsort(places, n, sizeof *places, compare_ints);
    for (size_t i = 0; i < n; i++) {
        AUTO_OBJ struct obj place = obj_new_int(dict.q, places[i]);

        obj_append(list, place);
    }
    if (n > 0)
        obj_set(dict, "/I", list);
    else
        obj_remove(dict, "/I");
    obj_remove(dict, "/TI");
}

static int set_choice(struct form_fields *fields, struct form_field *field,
                      const struct form_value *value, struct err *err)
{
    AUTO_OBJ struct obj options = field_inherited(field->dict, fields->form, "/Opt");
    AUTO_OBJ struct obj list = obj_new_array(field->dict.q);
    AUTO_FREE int *places = calloc(value->n + 1, sizeof *places);
    bool multiple = field->kind == FORM_LIST && field->flags & FORM_MULTI_SELECT;
    size_t n_places = 0;

    if (!places)
        return pdf_doc_no_memory(err);
    if (value->type == FORM_VALUE_TRUE || value->type == FORM_VALUE_FALSE)
        return form_values_wrong(err, "the field \"%.80s\" takes one of its options", field->name);
    if (value->n > 1 && !multiple)
        return form_values_wrong(err, "the field \"%.80s\" takes one option, not several",
                                 field->name);
    for (size_t i = 0; i < value->n; i++) {
        int at = find_option(options, value->texts[i]);
        AUTO_OBJ struct obj typed = { field->dict.q,
                                      qpdf_oh_new_unicode_string(field->dict.q, value->texts[i]) };

        if (at < 0 && !(field->kind == FORM_COMBO && field->flags & FORM_EDIT))
            return form_values_wrong(err, "the field \"%.80s\" has no option \"%.60s\"",
                                     field->name, value->texts[i]);
        if (at < 0)
            obj_append(list, typed);
        else
            append_option(list, options, places[n_places++] = at);
    }
    AUTO_OBJ struct obj first = obj_item(list, 0);
    clear_kids(fields, field);
    if (value->n == 0)
        obj_remove(field->dict, "/V");
    else
        obj_set(field->dict, "/V", value->n > 1 ? list : first);
    set_places(field->dict, places, n_places);
    return 0;
}

int form_set(struct form_fields *fields, struct form_field *field, const struct form_value *value,
             bool *joined, struct err *err)
{
    switch (field->kind) {
    case FORM_TEXT:
        return set_text(fields, field, value, joined, err);
    case FORM_LIST:
    case FORM_COMBO:
        return set_choice(fields, field, value, err);
    case FORM_CHECK:
    case FORM_RADIO:
        return form_state_set(fields, field, value, err);
    case FORM_BUTTON:
    case FORM_SIGNATURE:
    case FORM_UNKNOWN:
        break;
    }
    return form_values_wrong(err, "the field \"%.80s\" is a %s: it takes no value", field->name,
                             field->kind == FORM_SIGNATURE ? "signature"
                             : field->kind == FORM_BUTTON  ? "push button"
                                                           : "field without a kind");
}

void form_value_read(const struct form_field *field, struct buf *out)
{
    AUTO_OBJ struct obj value = field_inherited(field->dict, OBJ_NONE, "/V");
    AUTO_OBJ struct obj first = obj_item(value, 0);
    struct obj one = obj_is_array(value) ? first : value;
    size_t n;
    const char *name = obj_is_name(one) ? obj_bytes(one, &n) : NULL;

    buf_puts(out, name ? name + 1 : form_text(one));
}
