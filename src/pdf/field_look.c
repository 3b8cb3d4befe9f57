#include "pdf/field_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/effort.h"
#include "base/scope.h"
#include "pdf/field_text.h"

#define MAX_DEPTH 64        /* of the tree of fields */
#define MAX_LOOK  (1 << 16) /* bytes of an appearance that are looked at */

/* Units of effort (base/effort.h): thousands of fields may share one value or list of options. */
#define WIDGET    20000.0
#define CHARACTER 400.0
#define OPTION    5000.0
#define BYTE      4.0 /* of an appearance that is unpacked to be looked at */

#define MULTI_LINE (1 << 12) /* field flags, ISO 32000-2, tables 229, 231 and 233 */
#define PASSWORD   (1 << 13)
#define PUSHBUTTON (1 << 16)
#define COMBO      (1 << 17)
#define COMB       (1 << 24)

/* The value of a key of the widget, of the fields above it, or of the form. */
static struct obj inherited(struct obj widget, struct obj form, const char *key)
{
    struct obj at = obj_same(widget);

    for (int depth = 0; depth < MAX_DEPTH && obj_is_dict(at); depth++) {
        struct obj value = obj_key(at, key);

        if (!obj_is_null(value)) {
            obj_drop(&at);
            return value;
        }
        obj_drop(&value);
        struct obj above = obj_key(at, "/Parent");
        obj_drop(&at);
        at = above;
    }
    obj_drop(&at);
    return obj_key(form, key);
}

static long long inherited_int(struct obj widget, struct obj form, const char *key)
{
    AUTO_OBJ struct obj value = inherited(widget, form, key);
    long long number = 0;

    return obj_is_int(value, &number) ? number : 0;
}

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
    AUTO_OBJ struct obj options = inherited(widget, form, "/Opt");
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

/* Appends text to what is read so far. False if a character has no place there, or if there is no
 * effort left to draw it. */
static bool add_text(const char *bytes, size_t n, struct buf *text)
{
    return !bytes || (effort_spend(CHARACTER * (double) n) && field_text_read(bytes, n, text));
}

/* What there is to do to find an option. */
static double search_units(struct obj widget, struct obj form)
{
    AUTO_OBJ struct obj options = inherited(widget, form, "/Opt");

    return OPTION * obj_count(options);
}

/* The value as text of one byte a character. False if it is not drawn. */
static bool read_value(struct obj widget, struct obj form, bool choice, struct buf *text)
{
    AUTO_OBJ struct obj value = inherited(widget, form, "/V");
    int n = obj_is_array(value) ? obj_count(value) : 1;

    if (!effort_spend((choice ? n * search_units(widget, form) : 0) + WIDGET))
        return false;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_is_array(value) ? obj_item(value, i) : obj_same(value);
        AUTO_OBJ struct obj shown = choice ? displayed(widget, form, item) : obj_same(item);
        AUTO_FREE unsigned char *data = NULL;
        size_t length = 0;
        bool read;

        if (i > 0)
            buf_putc(text, '\n');
        if (obj_is_stream(shown)) {
            if (!obj_stream_data(shown, &data, &length))
                return false;
            read = add_text((const char *) data, length, text);
        } else {
            const char *bytes = obj_is_string(shown) ? obj_bytes(shown, &length) : NULL;
            read = add_text(bytes, length, text);
        }
        if (!read)
            return false;
    }
    return !text->failed;
}

static void put_colour(struct buf *out, struct obj colour, const char *const operators[3])
{
    int n = obj_count(colour);
    const char *operator= n == 1 ? operators[0] : n == 3 ? operators[1] : operators[2];

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(colour, i);
        double value = 0;

        obj_is_number(item, &value);
        buf_printf(out, "%.4f ", fmin(fmax(value, 0), 1));
    }
    buf_puts(out, operator);
}

static bool is_colour(struct obj colour)
{
    int n = obj_count(colour);

    return n == 1 || n == 3 || n == 4;
}

/* The background and the border that the widget asks for (12.5.6.19). Returns its width. */
static double put_frame(struct obj widget, const struct field_text *text, struct buf *out)
{
    static const char *const fill[] = { "g", "rg", "k" }, *const stroke[] = { "G", "RG", "K" };
    AUTO_OBJ struct obj looks = obj_key(widget, "/MK");
    AUTO_OBJ struct obj back = obj_key(looks, "/BG");
    AUTO_OBJ struct obj edge = obj_key(looks, "/BC");
    AUTO_OBJ struct obj style = obj_key(widget, "/BS");
    AUTO_OBJ struct obj wide = obj_key(style, "/W");
    double width = 1;

    if (obj_is_number(wide, &width))
        width = fmin(fmax(width, 0), fmin(text->width, text->height) / 4);
    if (is_colour(back)) {
        put_colour(out, back, fill);
        buf_printf(out, " 0 0 %.3f %.3f re f\n", text->width, text->height);
    }
    if (is_colour(edge) && width > 0) {
        put_colour(out, edge, stroke);
        buf_printf(out, " %.3f w %.3f %.3f %.3f %.3f re S\n", width, width / 2, width / 2,
                   text->width - width, text->height - width);
    }
    return width;
}

static void give(struct obj widget, const struct field_text *text, const struct buf *content,
                 long long turn)
{
    static const char *const matrices[] = { "[1 0 0 1 0 0]", "[0 1 -1 0 0 0]", "[-1 0 0 -1 0 0]",
                                            "[0 -1 1 0 0 0]" };
    struct obj plain = obj_new_stream(widget.q, content->data, content->len);
    AUTO_OBJ struct obj look = obj_indirect(plain);
    AUTO_OBJ struct obj resources = obj_new_dict(widget.q), fonts = obj_new_dict(widget.q);
    AUTO_OBJ struct obj looks = obj_new_dict(widget.q);
    AUTO_BUF struct buf box = BUF_EMPTY, font = BUF_EMPTY;

    buf_printf(&box, "[0 0 %.3f %.3f]", text->width, text->height);
    buf_printf(&font, "<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>",
               text->font);
    obj_set_name(look, "/Type", "/XObject");
    obj_set_name(look, "/Subtype", "/Form");
    obj_set(look, "/BBox", obj_parse(widget.q, buf_text(&box)));
    obj_set(look, "/Matrix", obj_parse(widget.q, matrices[turn]));
    obj_set(fonts, "/F", obj_parse(widget.q, buf_text(&font)));
    obj_set(resources, "/Font", fonts);
    obj_set(look, "/Resources", resources);
    obj_set(looks, "/N", look);
    obj_set(widget, "/AP", looks);
}

static bool measure(struct obj widget, struct field_text *text, long long *turn)
{
    AUTO_OBJ struct obj rect = obj_key(widget, "/Rect");
    AUTO_OBJ struct obj looks = obj_key(widget, "/MK");
    double sides[4];

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(rect, i);

        if (!obj_is_number(item, &sides[i]) || !(fabs(sides[i]) < 1e6))
            return false;
    }
    text->width = fabs(sides[2] - sides[0]);
    text->height = fabs(sides[3] - sides[1]);
    if (!obj_key_int(looks, "/R", turn))
        *turn = 0;
    *turn = *turn / 90 & 3;
    if (*turn % 2) {
        double width = text->width;

        text->width = text->height;
        text->height = width;
    }
    return text->width > 0 && text->height > 0;
}

/* A check box, a radio button or the words of a push button. */
static bool read_button(struct obj widget, struct obj form, struct field_text *text,
                        struct buf *value)
{
    AUTO_OBJ struct obj looks = obj_key(widget, "/MK");
    AUTO_OBJ struct obj caption = obj_key(looks, "/CA");
    AUTO_OBJ struct obj state = obj_key(widget, "/AS");
    AUTO_OBJ struct obj set = inherited(widget, form, "/V");
    struct obj now = obj_is_name(state) ? state : set;
    AUTO_BUF struct buf words = BUF_EMPTY;
    size_t n = 0;
    const char *bytes = obj_is_string(caption) ? obj_bytes(caption, &n) : NULL;

    if (bytes)
        buf_put(&words, bytes, n);
    text->across = 1;
    if (inherited_int(widget, form, "/Ff") & PUSHBUTTON)
        return field_text_read(buf_text(&words), words.len, value);
    text->symbols = true;
    if (!obj_is_name(now) || obj_name_is(now, "/Off"))
        return true;
    buf_putc(value, words.len == 1 ? words.data[0] : '4');
    return true;
}

/* Whether the value could be read. */
static bool read_text(struct obj widget, struct obj form, struct field_text *text,
                      struct buf *value)
{
    AUTO_OBJ struct obj type = inherited(widget, form, "/FT");
    long long flags = inherited_int(widget, form, "/Ff");

    if (obj_name_is(type, "/Btn"))
        return read_button(widget, form, text, value);
    text->across = (int) inherited_int(widget, form, "/Q");
    text->lines = obj_name_is(type, "/Tx") ? flags & MULTI_LINE : !(flags & COMBO);
    if (obj_name_is(type, "/Tx") && (flags & COMB) && !text->lines)
        text->cells = inherited_int(widget, form, "/MaxLen");
    if (!read_value(widget, form, obj_name_is(type, "/Ch"), value))
        return false;
    if (obj_name_is(type, "/Tx") && (flags & PASSWORD) && value->len > 0)
        memset(value->data, '*', value->len);
    return true;
}

static bool is_wanted(struct obj widget, struct obj form, bool asked)
{
    AUTO_OBJ struct obj type = inherited(widget, form, "/FT");
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

enum field_look field_look_make(struct obj widget, struct obj form, bool asked)
{
    struct field_text text = { .font = "Helvetica" };
    AUTO_BUF struct buf value = BUF_EMPTY, content = BUF_EMPTY;
    AUTO_OBJ struct obj defaults = inherited(widget, form, "/DA");
    size_t n = 0;
    const char *bytes;
    long long turn;

    if (!is_wanted(widget, form, asked) || !measure(widget, &text, &turn))
        return FIELD_LOOK_KEPT;
    if (!read_text(widget, form, &text, &value))
        return has_look(widget) ? FIELD_LOOK_KEPT : FIELD_LOOK_FAILED;
    if (value.len == 0 && !asked && has_stream(widget))
        return FIELD_LOOK_KEPT;
    bytes = obj_is_string(defaults) ? obj_bytes(defaults, &n) : NULL;
    if (bytes)
        field_text_style(&text, bytes, n);
    text.edge = put_frame(widget, &text, &content);
    buf_puts(&content, "/Tx BMC\n");
    field_text_put(&text, &value, &content);
    buf_puts(&content, "EMC\n");
    if (content.failed || value.failed)
        return FIELD_LOOK_FAILED;
    give(widget, &text, &content, turn);
    return FIELD_LOOK_MADE;
}
