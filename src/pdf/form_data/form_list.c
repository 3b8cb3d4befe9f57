#include "pdf/form_data/form_list.h"

#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/forms/field_inherited.h"
#include "pdf/forms/field_widget.h"
#include "pdf/object/idmap.h"
#include "pdf/object/page_view.h"

static json_t *text_to_json(struct obj text)
{
    json_t *value = json_string(form_text(text));

    return value ? value : json_string("");
}

/* A value as it is stored: a text, the name of a state, a list of texts, or null. */
static json_t *value_to_json(struct obj value)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (obj_is_string(value))
        return text_to_json(value);
    if (obj_is_name(value)) {
        const char *bytes = obj_bytes(value, &n);
        json_t *name = bytes && n > 0 ? json_string(bytes + 1) : NULL;

        return name ? name : json_null();
    }
    if (obj_is_stream(value) && obj_stream_data(value, &data, &n)) {
        AUTO_BUF struct buf text = BUF_EMPTY;

        if (field_text_read((const char *) data, n, &text))
            return json_stringn(buf_text(&text), text.len);
    }
    if (!obj_is_array(value))
        return json_null();
    json_t *list = json_array();

    for (int i = 0, count = obj_count(value); i < count; i++) {
        AUTO_OBJ struct obj item = obj_item(value, i);

        json_array_append_new(list, text_to_json(item));
    }
    return list;
}

/* {"value": "a", "label": "A"} of an entry of /Opt */
static json_t *option_of(struct obj option)
{
    AUTO_OBJ struct obj first = obj_item(option, 0);
    AUTO_OBJ struct obj second = obj_item(option, 1);
    bool pair = obj_is_array(option);

    return json_pack("{so,so}", "value", text_to_json(pair ? first : option), "label",
                     text_to_json(pair ? second : option));
}

static json_t *choices_of(struct obj options)
{
    json_t *list = json_array();

    for (int i = 0, n = obj_count(options); i < n; i++) {
        AUTO_OBJ struct obj option = obj_item(options, i);

        json_array_append_new(list, option_of(option));
    }
    return list;
}

/* The states of a check box or of radio buttons, with what /Opt calls those whose names are only
 * numbers (12.7.5.2.3). */
static json_t *states_of(const struct form_fields *fields, const struct form_field *field,
                         struct obj options)
{
    json_t *list = json_array();

    for (size_t i = 0; i < field->n_widgets; i++) {
        AUTO_BUF struct buf state = BUF_EMPTY;
        AUTO_OBJ struct obj label = obj_item(options, (int) i);

        form_on_state(fields->widgets[field->widget + i].dict, &state);
        if (state.len > 0 && utf8_is_valid(buf_text(&state), state.len))
            json_array_append_new(list,
                                  json_pack("{ss,so}", "value", buf_text(&state), "label",
                                            obj_is_string(label) ? text_to_json(label)
                                                                 : json_string(buf_text(&state))));
    }
    return list;
}

/* A point of the page as displayed, counted from its top left. */
static void displayed(const struct page_view *view, double x, double y, double out[2])
{
    const double *m = view->matrix;
    double det = m[0] * m[3] - m[1] * m[2];
    double dx = x - m[4], dy = y - m[5];

    out[0] = fabs(det) > 1e-12 ? (m[3] * dx - m[2] * dy) / det : 0;
    out[1] = view->height - (fabs(det) > 1e-12 ? (m[0] * dy - m[1] * dx) / det : 0);
}

static json_t *box_of(struct pdf_doc *doc, const struct form_widget *widget)
{
    AUTO_OBJ struct obj page = obj_page(doc->q, widget->page);
    AUTO_OBJ struct obj rect = obj_key(widget->dict, "/Rect");
    struct page_view view;
    double side[4], a[2], b[2];
    json_t *box = json_array();

    page_view_read(page, &view);
    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(rect, i);

        if (!obj_is_number(item, &side[i]) || !(fabs(side[i]) < 1e9))
            side[i] = 0;
    }
    displayed(&view, side[0], side[1], a);
    displayed(&view, side[2], side[3], b);
    const double sides[] = { fmin(a[0], b[0]), fmin(a[1], b[1]), fmax(a[0], b[0]),
                             fmax(a[1], b[1]) };
    for (int i = 0; i < 4; i++)
        json_array_append_new(box, json_real(round(sides[i] * 100) / 100));
    return box;
}

/* The corners of a box as quads of annotations are listed: top left, top right, bottom left, bottom
 * right. */
static json_t *quad_of(json_t *box)
{
    static const int corners[] = { 0, 1, 2, 1, 0, 3, 2, 3 };
    json_t *quad = json_array();

    for (size_t i = 0; i < COUNT(corners); i++)
        json_array_append(quad, json_array_get(box, (size_t) corners[i]));
    return quad;
}

static json_t *widget_of(struct pdf_doc *doc, const struct form_field *field,
                         const struct form_widget *widget)
{
    AUTO_BUF struct buf state = BUF_EMPTY;
    long long flags = 0;
    json_t *one = json_object();

    if (widget->page != FORM_NO_PAGE) {
        json_t *box = box_of(doc, widget);

        json_object_set_new(one, "page", json_integer((json_int_t) widget->page + 1));
        json_object_set_new(one, "box", box);
        json_object_set_new(one, "quad", quad_of(box));
    }
    obj_key_int(widget->dict, "/F", &flags);
    json_object_set_new(one, "hidden", json_boolean(flags & (1 << 1 | 1 << 5)));
    if (field->kind == FORM_CHECK || field->kind == FORM_RADIO)
        form_on_state(widget->dict, &state);
    if (state.len > 0 && utf8_is_valid(buf_text(&state), state.len))
        json_object_set_new(one, "state", json_string(buf_text(&state)));
    return one;
}

static void add_text_rules(json_t *one, const struct form_field *field, struct obj form)
{
    long long most = field_inherited_int(field->dict, form, "/MaxLen");

    if (most > 0)
        json_object_set_new(one, "maxLength", json_integer(most));
    json_object_set_new(one, "multiline", json_boolean(field->flags & FIELD_MULTI_LINE));
    json_object_set_new(one, "comb", json_boolean(field->flags & FIELD_COMB && most > 0));
    json_object_set_new(one, "password", json_boolean(field->flags & FIELD_PASSWORD));
}

static void add_options(json_t *one, const struct form_fields *fields,
                        const struct form_field *field)
{
    AUTO_OBJ struct obj options = field_inherited(field->dict, fields->form, "/Opt");

    if (field->kind == FORM_LIST || field->kind == FORM_COMBO) {
        json_object_set_new(one, "options", choices_of(options));
        json_object_set_new(
            one, field->kind == FORM_LIST ? "multiple" : "editable",
            json_boolean(field->flags &
                         (field->kind == FORM_LIST ? FORM_MULTI_SELECT : FORM_EDIT)));
    } else if (field->kind == FORM_CHECK || field->kind == FORM_RADIO) {
        json_object_set_new(one, "options", states_of(fields, field, options));
    }
}

static bool is_password(const struct form_field *field)
{
    return field->kind == FORM_TEXT && field->flags & FIELD_PASSWORD;
}

/* `order`: from fields to their places in the order of calculation. */
static json_t *field_of(const struct form_fields *fields, struct pdf_doc *doc,
                        const struct form_field *field, const struct idmap *order)
{
    AUTO_OBJ struct obj value = field_inherited(field->dict, OBJ_NONE, "/V");
    AUTO_OBJ struct obj preset = field_inherited(field->dict, OBJ_NONE, "/DV");
    AUTO_OBJ struct obj label = obj_key(field->dict, "/TU");
    size_t place = obj_id(field->dict) ? idmap_find(order, obj_id(field->dict)) : IDMAP_NONE;
    json_t *one = json_object(), *widgets = json_array();

    json_object_set_new(one, "name", json_string(field->name));
    json_object_set_new(one, "kind", json_string(form_kind_name(field->kind)));
    if (obj_is_string(label))
        json_object_set_new(one, "label", text_to_json(label));
    if (field->kind == FORM_SIGNATURE)
        json_object_set_new(one, "signed", json_boolean(obj_is_dict(value)));
    else if (field->kind != FORM_BUTTON && !is_password(field))
        json_object_set_new(one, "value", value_to_json(value));
    if (!obj_is_null(preset) && !is_password(field))
        json_object_set_new(one, "defaultValue", value_to_json(preset));
    json_object_set_new(one, "required", json_boolean(field->flags & FORM_REQUIRED));
    json_object_set_new(one, "readOnly", json_boolean(field->flags & FORM_READ_ONLY));
    if (field->kind == FORM_TEXT)
        add_text_rules(one, field, fields->form);
    add_options(one, fields, field);
    if (place != IDMAP_NONE)
        json_object_set_new(one, "calculationOrder", json_integer((json_int_t) place + 1));
    for (size_t i = 0; i < field->n_widgets; i++)
        json_array_append_new(widgets, widget_of(doc, field, &fields->widgets[field->widget + i]));
    json_object_set_new(one, "widgets", widgets);
    return one;
}

static bool read_order(struct obj form, struct idmap *order)
{
    AUTO_OBJ struct obj list = obj_key(form, "/CO");

    for (int i = 0, n = obj_count(list); i < n; i++) {
        AUTO_OBJ struct obj field = obj_item(list, i);

        if (obj_id(field) && !idmap_add(order, obj_id(field), (size_t) i))
            return false;
    }
    return true;
}

int form_list_write(const struct form_fields *fields, struct pdf_doc *doc, const char *path,
                    struct err *err)
{
    AUTO_IDMAP struct idmap order = { 0 };
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);
    json_t *list = json_array(), *all;
    AUTO_FREE char *text = NULL;

    if (fd < 0)
        return err_sys(err, "result");
    if (!read_order(fields->form, &order))
        return pdf_doc_no_memory(err);
    for (size_t i = 0; i < fields->n; i++)
        json_array_append_new(list, field_of(fields, doc, &fields->items[i], &order));
    all = json_pack("{so,sb,sb,so}", "fields", list, "xfa", fields->xfa, "xfaOnly",
                    fields->xfa_only, "signatures", json_integer((json_int_t) fields->signed_));
    text = all ? json_dumps(all, JSON_COMPACT) : NULL;
    json_decref(all);
    return text ? fdio_write(fd, text, strlen(text), err) : pdf_doc_no_memory(err);
}
