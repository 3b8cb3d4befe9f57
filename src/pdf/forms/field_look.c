#include "pdf/forms/field_look.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/effort.h"
#include "base/scope.h"
#include "pdf/forms/field_inherited.h"
#include "pdf/forms/field_widget.h"

#define MAX_LOOK (1 << 16) /* bytes of an appearance that are looked at */

#define BYTE                                                                                       \
    4.0 /* units of effort (base/effort.h): of an appearance that is unpacked to be looked at */

static bool is_blank(const unsigned char *data, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strchr(" \t\r\n\f", data[i]))
            return false;
    return true;
}

/* Whether an appearance shows a value: what stands between BMC and EMC (12.7.4.3), or anything if
 * there is no such part. */
static bool paints(struct obj stream)
{
    AUTO_FREE unsigned char *data = NULL;
    const unsigned char *begin, *end;
    size_t n = 0;

    if (effort_is_spent() || !obj_stream_data(stream, &data, &n) ||
        !effort_spend(BYTE * (double) n) || n > MAX_LOOK)
        return true;
    begin = n > 0 ? memmem(data, n, "BMC", 3) : NULL;
    if (!begin)
        return n > 0 && !is_blank(data, n);
    begin += 3;
    end = memmem(begin, n - (size_t) (begin - data), "EMC", 3);
    return !is_blank(begin, (size_t) ((end ? end : data + n) - begin));
}

/* What an option of a choice is displayed as (table 234). */
static struct obj displayed(struct obj widget, struct obj form, struct obj value)
{
    AUTO_OBJ struct obj options = field_inherited(widget, form, "/Opt");
    AUTO_BUF struct buf wanted = BUF_EMPTY;
    size_t length = 0;
    const char *bytes = obj_bytes(value, &length);
    int n = obj_count(options);

    if (bytes)
        buf_put(&wanted, bytes, length);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj option = obj_item(options, i);
        AUTO_OBJ struct obj exported = obj_item(option, 0);
        size_t m = 0;
        const char *name = obj_bytes(exported, &m);

        if (name && m == wanted.len && memcmp(name, buf_text(&wanted), m) == 0)
            return obj_item(option, 1);
    }
    return obj_same(value);
}

/* What there is to do to find an option. */
static double search_units(struct obj widget, struct obj form)
{
    AUTO_OBJ struct obj options = field_inherited(widget, form, "/Opt");

    return FIELD_WIDGET_OPTION * obj_count(options);
}

/* The text of a string, or of a stream of long text, which *data holds. False if it cannot be
 * read. */
static bool read_shown(struct obj shown, unsigned char **data, const char **bytes, size_t *n)
{
    bool read = true;

    *n = 0;
    if (obj_is_stream(shown)) {
        read = obj_stream_data(shown, data, n);
        *bytes = (const char *) *data;
    } else {
        *bytes = obj_is_string(shown) ? obj_bytes(shown, n) : "";
    }
    return read;
}

/* Reads the value. False if it is not drawn. */
static bool read_value(struct obj annot, struct obj form, bool choice, struct field_widget *widget)
{
    AUTO_OBJ struct obj value = field_inherited(annot, form, "/V");
    int n = obj_is_array(value) ? obj_count(value) : 1;

    if (choice && !effort_spend(n * search_units(annot, form)))
        return false;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_is_array(value) ? obj_item(value, i) : obj_same(value);
        AUTO_OBJ struct obj shown = choice ? displayed(annot, form, item) : obj_same(item);
        AUTO_FREE unsigned char *data = NULL;
        const char *bytes;
        size_t length;

        if (i > 0)
            buf_putc(&widget->value, '\n');
        if (!read_shown(shown, &data, &bytes, &length) || !field_widget_add(widget, bytes, length))
            return false;
    }
    return true;
}

/* Whether an option is among those of the field's value. */
static bool is_selected(struct obj value, struct obj option)
{
    AUTO_OBJ struct obj first = obj_item(option, 0);
    struct obj exported = obj_is_array(option) ? first : option;
    AUTO_BUF struct buf wanted = BUF_EMPTY;
    int n = obj_is_array(value) ? obj_count(value) : 1;
    size_t length = 0;
    const char *bytes = obj_is_string(exported) ? obj_bytes(exported, &length) : NULL;

    if (!bytes)
        return false;
    buf_put(&wanted, bytes, length);
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_is_array(value) ? obj_item(value, i) : obj_same(value);

        bytes = obj_is_string(item) ? obj_bytes(item, &length) : NULL;
        if (bytes && length == wanted.len && memcmp(bytes, buf_text(&wanted), length) == 0)
            return true;
    }
    return false;
}

/* Reads the options of a list box from the one at its top on, as many as may be seen (12.7.5.4),
 * and which of them are selected. False if they are not drawn. */
static bool read_options(struct obj annot, struct obj form, struct obj options,
                         struct field_widget *widget)
{
    AUTO_OBJ struct obj value = field_inherited(annot, form, "/V");
    long long n = obj_count(options), top = field_inherited_int(annot, form, "/TI");
    int n_values = obj_is_array(value) ? obj_count(value) : 1;

    top = top > 0 && top < n ? top : 0;
    if (!effort_spend(FIELD_WIDGET_OPTION * FIELD_TEXT_OPTIONS * (1 + n_values)))
        return false;
    for (long long i = top; i < n && widget->text.n_options < FIELD_TEXT_OPTIONS; i++) {
        AUTO_OBJ struct obj option = obj_item(options, (int) i);
        AUTO_OBJ struct obj second = obj_item(option, 1);
        AUTO_FREE unsigned char *data = NULL;
        bool selected = is_selected(value, option);
        const char *bytes;
        size_t length;

        if (!read_shown(obj_is_array(option) ? second : option, &data, &bytes, &length) ||
            !field_widget_add_option(widget, bytes, length, selected))
            return false;
    }
    return true;
}

static void read_colour(struct obj array, struct field_colour *colour)
{
    int n = obj_count(array);

    colour->n = (size_t) n;
    for (int i = 0; i < n && i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(array, i);

        obj_is_number(item, &colour->values[i]);
    }
}

/* Reads the size, the background and the border. False if there is nothing to draw on. */
static bool read_place(struct obj annot, struct field_widget *widget)
{
    AUTO_OBJ struct obj rect = obj_key(annot, "/Rect");
    AUTO_OBJ struct obj looks = obj_key(annot, "/MK");
    AUTO_OBJ struct obj back = obj_key(looks, "/BG");
    AUTO_OBJ struct obj edge = obj_key(looks, "/BC");
    AUTO_OBJ struct obj style = obj_key(annot, "/BS");
    AUTO_OBJ struct obj wide = obj_key(style, "/W");
    long long degrees = 0;
    double sides[4], border = 1;

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(rect, i);

        if (!obj_is_number(item, &sides[i]))
            return false;
    }
    obj_is_number(wide, &border);
    obj_key_int(looks, "/R", &degrees);
    read_colour(back, &widget->back);
    read_colour(edge, &widget->edge);
    return field_widget_place(widget, sides, degrees, border);
}

/* The appearance of an annotation: a form whose content names a resource of one kind as /F. */
static void give(struct obj annot, const struct field_widget *widget, const struct buf *content,
                 const char *kind, struct obj resource)
{
    static const char *const matrices[] = { "[1 0 0 1 0 0]", "[0 1 -1 0 0 0]", "[-1 0 0 -1 0 0]",
                                            "[0 -1 1 0 0 0]" };
    struct obj plain = obj_new_stream(annot.q, content->data, content->len);
    AUTO_OBJ struct obj look = obj_indirect(plain);
    AUTO_OBJ struct obj resources = obj_new_dict(annot.q), named = obj_new_dict(annot.q);
    AUTO_OBJ struct obj looks = obj_new_dict(annot.q);
    AUTO_BUF struct buf box = BUF_EMPTY;

    buf_printf(&box, "[0 0 %.3f %.3f]", widget->text.width, widget->text.height);
    obj_set_name(look, "/Type", "/XObject");
    obj_set_name(look, "/Subtype", "/Form");
    obj_set(look, "/BBox", obj_parse(annot.q, buf_text(&box)));
    obj_set(look, "/Matrix", obj_parse(annot.q, matrices[widget->turns]));
    obj_set(named, "/F", resource);
    obj_set(resources, kind, named);
    obj_set(look, "/Resources", resources);
    obj_set(looks, "/N", look);
    obj_set(annot, "/AP", looks);
}

/* `dict`: of widget->font, if that is of the document. */
static void give_text(struct obj annot, const struct field_widget *widget, struct obj dict,
                      const struct buf *content)
{
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_OBJ struct obj standard = OBJ_NONE;

    buf_printf(&text, "<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>",
               widget->font.name);
    standard = obj_parse(annot.q, buf_text(&text));
    give(annot, widget, content, "/Font", widget->font.own ? dict : standard);
}

/* A check box, a radio button or the words of a push button. */
static bool read_button(struct obj annot, struct obj form, struct field_widget *widget)
{
    AUTO_OBJ struct obj looks = obj_key(annot, "/MK");
    AUTO_OBJ struct obj caption = obj_key(looks, "/CA");
    AUTO_OBJ struct obj state = obj_key(annot, "/AS");
    AUTO_OBJ struct obj set = field_inherited(annot, form, "/V");
    struct obj now = obj_is_name(state) ? state : set;
    bool off = !obj_is_name(now) || obj_name_is(now, "/Off");
    long long flags = field_inherited_int(annot, form, "/Ff");
    size_t n = 0;
    const char *bytes = obj_is_string(caption) ? obj_bytes(caption, &n) : "";

    widget->text.across = 1;
    if (flags & FIELD_PUSHBUTTON)
        return field_widget_add(widget, bytes, n);
    widget->text.symbols = true;
    if (!off)
        buf_putc(&widget->value, n == 1 ? bytes[0] : '4');
    return true;
}

/* Whether the value could be read. */
static bool read_text(struct obj annot, struct obj form, struct field_widget *widget)
{
    AUTO_OBJ struct obj type = field_inherited(annot, form, "/FT");
    AUTO_OBJ struct obj options = field_inherited(annot, form, "/Opt");
    long long flags = field_inherited_int(annot, form, "/Ff");
    bool choice = obj_name_is(type, "/Ch");

    if (obj_name_is(type, "/Btn"))
        return read_button(annot, form, widget);
    field_widget_lay_out(widget, choice, flags, field_inherited_int(annot, form, "/Q"),
                         field_inherited_int(annot, form, "/MaxLen"));
    if (choice && widget->text.lines && obj_count(options) > 0)
        return read_options(annot, form, options, widget);
    if (!read_value(annot, form, choice, widget))
        return false;
    if (!choice && (flags & FIELD_PASSWORD))
        field_widget_hide(widget);
    return true;
}

static bool is_wanted(struct obj widget, struct obj form, bool asked)
{
    AUTO_OBJ struct obj type = field_inherited(widget, form, "/FT");
    AUTO_OBJ struct obj looks = obj_key(widget, "/AP");
    AUTO_OBJ struct obj normal = obj_key(looks, "/N");
    AUTO_OBJ struct obj actions = obj_key(widget, "/AA");

    if (obj_name_is(type, "/Btn"))
        return obj_is_null(normal);
    if (!obj_name_is(type, "/Tx") && !obj_name_is(type, "/Ch"))
        return false;
    if (!obj_is_stream(normal) || !paints(normal))
        return true;
    return asked && !obj_has(actions, "/F"); /* a script formatted what there is */
}

static bool has_stream(struct obj widget)
{
    AUTO_OBJ struct obj looks = obj_key(widget, "/AP");
    AUTO_OBJ struct obj normal = obj_key(looks, "/N");

    return obj_is_stream(normal);
}

/* Whether there is an appearance that shows something, to fall back on. */
static bool has_look(struct obj widget)
{
    AUTO_OBJ struct obj looks = obj_key(widget, "/AP");
    AUTO_OBJ struct obj normal = obj_key(looks, "/N");

    return obj_is_stream(normal) && paints(normal);
}

/* Reads the style of the text, and the font that it asks for, or the standard one like it. Returns
 * the font's dictionary, or null. */
static struct obj read_style(struct obj annot, struct obj form, struct field_widget *widget)
{
    AUTO_OBJ struct obj style = field_inherited(annot, form, "/DA");
    AUTO_OBJ struct obj resources = field_inherited(annot, form, "/DR");
    AUTO_OBJ struct obj fonts = obj_key(resources, "/Font");
    const char *name = widget->text.font_name;
    size_t n = 0;
    const char *bytes = obj_is_string(style) ? obj_bytes(style, &n) : NULL;
    struct obj dict;

    if (bytes)
        field_text_style(&widget->text, bytes, n);
    dict = *name ? obj_key(fonts, name) : OBJ_NONE;
    if (!dict.q || !obj_is_dict(dict))
        field_font_standard(&widget->font, name);
    else
        field_font_open(&widget->font, dict);
    return dict;
}

enum field_look field_look_make(struct obj annot, struct obj form, bool asked,
                                struct field_painter *painter, size_t *picture)
{
    AUTO_FIELD_WIDGET struct field_widget widget = { .turns = 0 };
    AUTO_BUF struct buf content = BUF_EMPTY;
    AUTO_OBJ struct obj dict = OBJ_NONE;
    enum field_widget_drawn drawn;

    if (!is_wanted(annot, form, asked) || !read_place(annot, &widget))
        return FIELD_LOOK_KEPT;
    if (!read_text(annot, form, &widget))
        return has_look(annot) ? FIELD_LOOK_KEPT : FIELD_LOOK_FAILED;
    if (widget.value.len == 0 && !asked && has_stream(annot))
        return FIELD_LOOK_KEPT;
    dict = read_style(annot, form, &widget);
    drawn = field_widget_draw(&widget, painter, &content, picture);
    if (drawn == FIELD_WIDGET_PICTURE)
        return FIELD_LOOK_PAINTED;
    if (drawn == FIELD_WIDGET_FAILED)
        return has_look(annot) ? FIELD_LOOK_KEPT : FIELD_LOOK_FAILED;
    give_text(annot, &widget, dict, &content);
    return FIELD_LOOK_MADE;
}

void field_look_give(struct obj annot, struct obj picture)
{
    AUTO_FIELD_WIDGET struct field_widget widget = { .turns = 0 };
    AUTO_BUF struct buf content = BUF_EMPTY;

    if (!read_place(annot, &widget))
        return;
    field_widget_put_picture(&widget, &content);
    give(annot, &widget, &content, "/XObject", picture);
}
