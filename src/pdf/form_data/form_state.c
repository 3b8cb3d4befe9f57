#include "pdf/form_data/form_state.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "pdf/forms/field_inherited.h"
#include "pdf/forms/field_look.h"

#define NEW_STATE "Yes" /* of a widget that has no appearances, as other programs name it */

/* The state of widget i in which it is on: that of its appearances, or its place if they are
 * missing in a field of several. */
static void on_state(const struct form_fields *fields, const struct form_field *field, size_t i,
                     struct buf *name)
{
    form_on_state(fields->widgets[field->widget + i].dict, name);
    if (name->len > 0)
        return;
    if (field->kind == FORM_RADIO || field->n_widgets > 1)
        buf_printf(name, "%zu", i);
    else
        buf_puts(name, NEW_STATE);
}

static bool is_word_of(const char *text, const char *const *words)
{
    while (*words && strcasecmp(*words, text) != 0)
        words++;
    return *words != NULL;
}

static const char *const on_words[] = { "true", "yes", "on", "x", "1", NULL };
static const char *const off_words[] = { "false", "no", "off", "0", "", NULL };

/* Whether a text names the state of widget i: by the state's name, or by its label in /Opt. */
static bool names(const struct form_fields *fields, const struct form_field *field,
                  struct obj options, size_t i, const char *text)
{
    AUTO_BUF struct buf state = BUF_EMPTY;
    AUTO_OBJ struct obj label = obj_item(options, (int) i);

    on_state(fields, field, i, &state);
    return strcmp(buf_text(&state), text) == 0 ||
           (obj_is_string(label) && strcmp(form_text(label), text) == 0);
}

/* Whether all widgets have the same state. */
static bool is_single(const struct form_fields *fields, const struct form_field *field)
{
    AUTO_BUF struct buf first = BUF_EMPTY;

    if (field->n_widgets > 0)
        on_state(fields, field, 0, &first);
    for (size_t i = 1; i < field->n_widgets; i++) {
        AUTO_BUF struct buf other = BUF_EMPTY;

        on_state(fields, field, i, &other);
        if (strcmp(buf_text(&first), buf_text(&other)) != 0)
            return false;
    }
    return true;
}

/* Finds the widget whose state is wanted: *widget is n_widgets for off. */
static int find_widget(const struct form_fields *fields, const struct form_field *field,
                       const struct form_value *value, size_t *widget, struct err *err)
{
    AUTO_OBJ struct obj options = field_inherited(field->dict, OBJ_NONE, "/Opt");
    const char *text = value->n ? value->texts[0] : "";
    bool on = value->type == FORM_VALUE_TRUE;

    *widget = field->n_widgets;
    if (value->n > 1)
        return form_values_wrong(err, "the field \"%.80s\" takes one state", field->name);
    if (value->type == FORM_VALUE_CLEAR || value->type == FORM_VALUE_FALSE)
        return 0;
    for (size_t i = 0; !on && i < field->n_widgets; i++)
        if (names(fields, field, options, i, text)) {
            *widget = i;
            return 0;
        }
    if (!on && is_word_of(text, off_words))
        return 0;
    if (!on && !is_word_of(text, on_words))
        return form_values_wrong(err, "the field \"%.80s\" has no state \"%.60s\"", field->name,
                                 text);
    if (!is_single(fields, field))
        return form_values_wrong(err,
                                 "the field \"%.80s\" has several states: name one of those that "
                                 "form-fields lists",
                                 field->name);
    *widget = 0;
    return 0;
}

/* The appearance that a widget is given in a state. */
static struct obj make_look(const struct form_fields *fields, struct obj widget, const char *state)
{
    size_t unused;

    obj_remove(widget, "/AP");
    obj_set_name(widget, "/AS", state);
    field_look_make(widget, fields->form, true, NULL, &unused);
    AUTO_OBJ struct obj looks = obj_key(widget, "/AP");
    return obj_key(looks, "/N");
}

/* Makes appearances of a widget that has none for the state in which it is on. */
static void ensure_look(const struct form_fields *fields, struct obj widget, const char *state)
{
    AUTO_OBJ struct obj old = obj_key(widget, "/AP");
    AUTO_OBJ struct obj normal = obj_key(old, "/N");
    AUTO_OBJ struct obj looks = obj_new_dict(widget.q), states = obj_new_dict(widget.q);

    if (obj_is_dict(normal) && !obj_is_stream(normal) && obj_has(normal, state))
        return;
    AUTO_OBJ struct obj on = make_look(fields, widget, state);
    AUTO_OBJ struct obj off = make_look(fields, widget, "/Off");
    obj_set(states, state, on);
    obj_set(states, "/Off", off);
    obj_set(looks, "/N", states);
    obj_set(widget, "/AP", looks);
}

int form_state_set(struct form_fields *fields, struct form_field *field,
                   const struct form_value *value, struct err *err)
{
    AUTO_BUF struct buf chosen = BUF_EMPTY, wanted = BUF_EMPTY;
    size_t at;

    if (find_widget(fields, field, value, &at, err) < 0)
        return -1;
    if (at < field->n_widgets)
        on_state(fields, field, at, &wanted);
    buf_printf(&chosen, "/%s", at < field->n_widgets ? buf_text(&wanted) : "Off");
    for (size_t i = 0; i < field->n_widgets; i++) {
        struct obj widget = fields->widgets[field->widget + i].dict;
        AUTO_BUF struct buf state = BUF_EMPTY, name = BUF_EMPTY;

        on_state(fields, field, i, &name);
        buf_printf(&state, "/%s", buf_text(&name));
        if (state.failed || name.failed || chosen.failed)
            return pdf_doc_no_memory(err);
        ensure_look(fields, widget, buf_text(&state));
        obj_set_name(widget, "/AS",
                     strcmp(buf_text(&state), buf_text(&chosen)) == 0 ? buf_text(&chosen) : "/Off");
        if (obj_id(widget) != obj_id(field->dict))
            obj_remove(widget, "/V");
    }
    obj_set_name(field->dict, "/V", buf_text(&chosen));
    return 0;
}
