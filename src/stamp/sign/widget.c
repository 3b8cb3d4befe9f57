#include "stamp/sign/widget.h"

#include <stdio.h>
#include <string.h>

#include "base/scope.h"

#define SIG_FLAGS 3   /* SignaturesExist, AppendOnly (table 225) */
#define ANNOT     132 /* Print, Locked (table 167) */

/* The text of a value inside the object that `serial` writes. */
static struct serial aside(const struct serial *serial, struct buf *out)
{
    struct serial other = *serial;

    other.out = out;
    return other;
}

static void put_text_key(const struct serial *serial, const char *key, const char *text)
{
    if (!text || !*text)
        return;
    buf_puts(serial->out, key);
    serial_text(serial, text);
}

/* A field's /Lock takes effect when it is signed, by a transform of the signature (12.8.2.4). */
static int put_field_lock(const struct serial *serial, struct obj lock, struct err *err)
{
    AUTO_OBJ struct obj action = obj_key(lock, "/Action");
    AUTO_OBJ struct obj names = obj_key(lock, "/Fields");

    if (!obj_is_name(action))
        return 0;
    buf_puts(serial->out, "<</Type/SigRef/TransformMethod/FieldMDP/TransformParams"
                          "<</Type/TransformParams/V/1.2/Action ");
    if (serial_put(serial, action, err) < 0)
        return -1;
    if (obj_is_array(names)) {
        buf_puts(serial->out, "/Fields ");
        if (serial_value(serial, names, err) < 0)
            return -1;
    }
    buf_puts(serial->out, ">>>>");
    return 0;
}

static int put_references(const struct widget *widget, const struct serial *serial, struct err *err)
{
    AUTO_OBJ struct obj lock = widget->field ? obj_key(widget->field->field, "/Lock") : OBJ_NONE;
    long long p = widget->certify;

    if (!p && !obj_is_dict(lock))
        return 0;
    if (!p)
        obj_key_int(lock, "/P", &p);
    buf_puts(serial->out, "/Reference[");
    if (p >= 1 && p <= 3)
        buf_printf(serial->out,
                   "<</Type/SigRef/TransformMethod/DocMDP/TransformParams"
                   "<</Type/TransformParams/V/1.2/P %lld>>>>",
                   p);
    if (obj_is_dict(lock) && put_field_lock(serial, lock, err) < 0)
        return -1;
    buf_puts(serial->out, "]");
    return 0;
}

static int put_value(const struct widget *widget, struct update *update, int number,
                     size_t container_bytes, struct container *container, struct err *err)
{
    struct serial serial;

    if (update_open(update, number, 0, &serial, err) < 0)
        return -1;
    buf_puts(serial.out, "<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached");
    put_text_key(&serial, "/Name", widget->name);
    put_text_key(&serial, "/Reason", widget->reason);
    put_text_key(&serial, "/Location", widget->location);
    buf_puts(serial.out, "/M");
    serial_string(&serial, widget->date, strlen(widget->date));
    buf_puts(serial.out, "/Prop_Build<</App<</Name/platen>>>>");
    if (put_references(widget, &serial, err) < 0)
        return -1;
    container_reserve(container, update, container_bytes);
    buf_puts(serial.out, ">>");
    return update_close(update, err);
}

static int put_new_widget(const struct widget *widget, struct update *update, int number, int value,
                          struct err *err)
{
    struct serial serial;
    double none[4] = { 0 };
    const double *rect = widget->place ? widget->place->rect : none;

    if (update_open(update, number, 0, &serial, err) < 0)
        return -1;
    buf_puts(serial.out, "<</Type/Annot/Subtype/Widget/FT/Sig");
    put_text_key(&serial, "/T", widget->new_name);
    buf_printf(serial.out, "/F %d/V %d 0 R/P %d %d R/Rect[%.3f %.3f %.3f %.3f]", ANNOT, value,
               OBJ_NUMBER(obj_id(widget->page)), OBJ_GEN(obj_id(widget->page)), rect[0], rect[1],
               rect[2], rect[3]);
    if (widget->place)
        buf_printf(serial.out, "/AP<</N %d 0 R>>", widget->form);
    buf_puts(serial.out, ">>");
    return update_close(update, err);
}

/* A field that was there gets its value; its widget, which may be the same object, its looks. */
static int fill_field(const struct widget *widget, struct update *update, int value,
                      struct err *err)
{
    struct obj field = widget->field->field, shown = widget->field->widget;
    bool one = obj_id(field) == obj_id(shown);
    char value_text[32], looks[48];
    struct serial serial;

    snprintf(value_text, sizeof value_text, "%d 0 R", value);
    snprintf(looks, sizeof looks, "<</N %d 0 R>>", widget->form);
    const struct serial_change of_widget[] = { { "/V", value_text },
                                               { widget->place ? "/AP" : "", looks },
                                               { widget->place ? "/AS" : "", NULL } };
    /* Where they are one object it has all of it. */
    if (update_reopen(update, field, &serial, err) < 0 ||
        serial_dict(&serial, field, of_widget, one ? COUNT(of_widget) : 1, err) < 0 ||
        update_close(update, err) < 0)
        return -1;
    if (one)
        return 0;
    /* The value is the field's, but poppler and MuPDF look for it where the widget is. */
    if (update_reopen(update, shown, &serial, err) < 0 ||
        serial_dict(&serial, shown, of_widget, COUNT(of_widget), err) < 0)
        return -1;
    return update_close(update, err);
}

/* Adds an item to an array: if it is an object of its own, it alone is rewritten, and `text`
 * stays empty; else `text` becomes the new value of its key in what `serial` writes. */
static int append_item(struct update *update, struct obj array, const char *item,
                       const struct serial *serial, struct buf *text, struct err *err)
{
    struct serial own;

    if (!obj_is_array(array) || !obj_is_indirect(array)) {
        struct serial other = aside(serial, text);

        return serial_array(&other, array, item, err);
    }
    /* Some producers let a page's annotations and the form's fields be one array. */
    if (update_has(update, array))
        return 0;
    if (update_reopen(update, array, &own, err) < 0 || serial_array(&own, array, item, err) < 0)
        return -1;
    return update_close(update, err);
}

/* How strings of an object that will be written are encrypted. */
static struct serial serial_for(struct update *update, struct obj obj)
{
    return (struct serial){ .crypt = update->encrypted ? &update->crypt : NULL,
                            .id = OBJ_NUMBER(obj_id(obj)),
                            .gen = OBJ_GEN(obj_id(obj)) };
}

/* The form gets the new field, if there is one, and its flags. `text`: its value where it belongs
 * into the catalog; empty if nothing there changes. */
static int put_in_form(const struct widget *widget, struct update *update, const char *item,
                       struct obj root, struct buf *text, struct err *err)
{
    struct obj form = widget->fields->form;
    struct obj holder = obj_is_indirect(form) && obj_is_dict(form) ? form : root;
    AUTO_OBJ struct obj list = obj_key(form, "/Fields");
    AUTO_BUF struct buf fields = BUF_EMPTY;
    struct serial serial = serial_for(update, holder);
    long long flags = 0;
    char flag_text[24];

    if (item && append_item(update, list, item, &serial, &fields, err) < 0)
        return -1;
    obj_key_int(form, "/SigFlags", &flags);
    if (fields.len == 0 && (flags & SIG_FLAGS) == SIG_FLAGS)
        return 0;
    snprintf(flag_text, sizeof flag_text, "%lld", flags | SIG_FLAGS);
    const struct serial_change changes[] = { { "/SigFlags", flag_text },
                                             { fields.len ? "/Fields" : "", buf_text(&fields) } };
    if (obj_id(holder) == obj_id(root)) {
        struct serial other = aside(&serial, text);

        return serial_dict(&other, form, changes, COUNT(changes), err);
    }
    if (update_reopen(update, form, &serial, err) < 0 ||
        serial_dict(&serial, form, changes, COUNT(changes), err) < 0)
        return -1;
    return update_close(update, err);
}

static int put_catalog(const struct widget *widget, struct update *update, const char *item,
                       int value, struct err *err)
{
    AUTO_OBJ struct obj root = obj_root(update->doc->q);
    AUTO_OBJ struct obj permissions = obj_key(root, "/Perms");
    AUTO_BUF struct buf form = BUF_EMPTY, perms = BUF_EMPTY;
    struct serial serial = serial_for(update, root);
    char reference[32];

    if (put_in_form(widget, update, item, root, &form, err) < 0)
        return -1;
    if (widget->certify) {
        struct serial other = aside(&serial, &perms);
        const struct serial_change change = { "/DocMDP", reference };

        snprintf(reference, sizeof reference, "%d 0 R", value);
        if (serial_dict(&other, permissions, &change, 1, err) < 0)
            return -1;
    }
    if (form.len == 0 && perms.len == 0)
        return 0;
    const struct serial_change changes[] = { { form.len ? "/AcroForm" : "", buf_text(&form) },
                                             { perms.len ? "/Perms" : "", buf_text(&perms) } };
    if (update_reopen(update, root, &serial, err) < 0 ||
        serial_dict(&serial, root, changes, COUNT(changes), err) < 0)
        return -1;
    return update_close(update, err);
}

int widget_write(const struct widget *widget, struct update *update, size_t container_bytes,
                 struct container *container, struct err *err)
{
    char item[32];
    int value, number = 0;

    if (update_number(update, &value, err) < 0)
        return -1;
    if (widget->field) {
        if (fill_field(widget, update, value, err) < 0)
            return -1;
    } else {
        struct addition *addition = addition_of(widget->additions, widget->page, err);

        if (!addition || update_number(update, &number, err) < 0)
            return -1;
        snprintf(item, sizeof item, "%d 0 R", number);
        if (put_new_widget(widget, update, number, value, err) < 0)
            return -1;
        addition_annotate(addition, number);
    }
    AUTO_OBJ struct obj list = obj_key(widget->fields->form, "/Fields");
    if (addition_write_all(widget->additions, update, list, err) < 0)
        return -1;
    if (put_catalog(widget, update, number ? item : NULL, value, err) < 0)
        return -1;
    return put_value(widget, update, value, container_bytes, container, err);
}
