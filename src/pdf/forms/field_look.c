#include "pdf/forms/field_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/effort.h"
#include "base/scope.h"
#include "pdf/forms/field_text.h"

#define MAX_DEPTH 64        /* of the tree of fields */
#define MAX_LOOK  (1 << 16) /* bytes of an appearance that are looked at */

/* Units of effort (base/effort.h): thousands of fields may share one value or list of options. */
#define WIDGET    40000.0
#define CHARACTER 400.0
#define OPTION    5000.0
#define PICTURE   100000.0 /* drawn by the painter, in addition to its own work */
#define BYTE      4.0      /* of an appearance that is unpacked to be looked at */

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

/* How often the widget's content is turned by 90 degrees, counterclockwise: 0 to 3. */
static int quarter_turns(struct obj widget)
{
    AUTO_OBJ struct obj looks = obj_key(widget, "/MK");
    long long degrees;

    return obj_key_int(looks, "/R", &degrees) ? (int) (degrees / 90 & 3) : 0;
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

/* Appends the text of a string, or of a stream of long text. False if it is not drawn. */
static bool read_shown(struct obj shown, struct buf *text)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t length = 0;
    const char *bytes;

    if (obj_is_stream(shown))
        return obj_stream_data(shown, &data, &length) &&
               add_text((const char *) data, length, text);
    bytes = obj_is_string(shown) ? obj_bytes(shown, &length) : NULL;
    return add_text(bytes, length, text);
}

/* The value as text in UTF-8. False if it is not drawn. */
static bool read_value(struct obj widget, struct obj form, bool choice, struct buf *text)
{
    AUTO_OBJ struct obj value = inherited(widget, form, "/V");
    int n = obj_is_array(value) ? obj_count(value) : 1;

    if (!effort_spend((choice ? n * search_units(widget, form) : 0) + WIDGET))
        return false;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_is_array(value) ? obj_item(value, i) : obj_same(value);
        AUTO_OBJ struct obj shown = choice ? displayed(widget, form, item) : obj_same(item);

        if (i > 0)
            buf_putc(text, '\n');
        if (!read_shown(shown, text))
            return false;
    }
    return !text->failed;
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

/* The options of a list box from the one at its top on, as many as may be seen (12.7.5.4), and
 * which of them are selected. False if they are not drawn. */
static bool read_options(struct obj widget, struct obj form, struct obj options,
                         struct field_text *text, struct buf *out)
{
    AUTO_OBJ struct obj value = inherited(widget, form, "/V");
    long long n = obj_count(options), top = inherited_int(widget, form, "/TI");
    int n_values = obj_is_array(value) ? obj_count(value) : 1;

    top = top > 0 && top < n ? top : 0;
    if (!effort_spend(WIDGET + OPTION * FIELD_TEXT_OPTIONS * (1 + n_values)))
        return false;
    for (long long i = top; i < n && text->n_options < FIELD_TEXT_OPTIONS; i++) {
        AUTO_OBJ struct obj option = obj_item(options, (int) i);
        AUTO_OBJ struct obj second = obj_item(option, 1);
        struct obj shown = obj_is_array(option) ? second : option;
        size_t begin;

        if (text->n_options > 0)
            buf_putc(out, '\n');
        begin = out->len;
        if (!read_shown(shown, out))
            return false;
        for (size_t at = begin; at < out->len; at++)
            if (out->data[at] == '\n')
                out->data[at] = ' ';
        text->selected[text->n_options++] = is_selected(value, option);
    }
    return !out->failed;
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

/* The widget's appearance: a form whose content names resources of one kind as /F. */
static void give(struct obj widget, const struct field_text *text, const struct buf *content,
                 const char *kind, struct obj resource)
{
    static const char *const matrices[] = { "[1 0 0 1 0 0]", "[0 1 -1 0 0 0]", "[-1 0 0 -1 0 0]",
                                            "[0 -1 1 0 0 0]" };
    struct obj plain = obj_new_stream(widget.q, content->data, content->len);
    AUTO_OBJ struct obj look = obj_indirect(plain);
    AUTO_OBJ struct obj resources = obj_new_dict(widget.q), named = obj_new_dict(widget.q);
    AUTO_OBJ struct obj looks = obj_new_dict(widget.q);
    AUTO_BUF struct buf box = BUF_EMPTY;

    buf_printf(&box, "[0 0 %.3f %.3f]", text->width, text->height);
    obj_set_name(look, "/Type", "/XObject");
    obj_set_name(look, "/Subtype", "/Form");
    obj_set(look, "/BBox", obj_parse(widget.q, buf_text(&box)));
    obj_set(look, "/Matrix", obj_parse(widget.q, matrices[quarter_turns(widget)]));
    obj_set(named, "/F", resource);
    obj_set(resources, kind, named);
    obj_set(look, "/Resources", resources);
    obj_set(looks, "/N", look);
    obj_set(widget, "/AP", looks);
}

static void give_text(struct obj widget, const struct field_text *text, const struct buf *content)
{
    AUTO_BUF struct buf font = BUF_EMPTY;

    if (text->font->dict.q) {
        give(widget, text, content, "/Font", text->font->dict);
        return;
    }
    buf_printf(&font, "<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>",
               text->font->name);
    AUTO_OBJ struct obj dict = obj_parse(widget.q, buf_text(&font));
    give(widget, text, content, "/Font", dict);
}

static bool measure(struct obj widget, struct field_text *text)
{
    AUTO_OBJ struct obj rect = obj_key(widget, "/Rect");
    double sides[4];

    for (int i = 0; i < 4; i++) {
        AUTO_OBJ struct obj item = obj_item(rect, i);

        if (!obj_is_number(item, &sides[i]) || !(fabs(sides[i]) < 1e6))
            return false;
    }
    text->width = fabs(sides[2] - sides[0]);
    text->height = fabs(sides[3] - sides[1]);
    if (quarter_turns(widget) % 2) {
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

/* A star for each character. */
static void hide(struct buf *value)
{
    size_t n = 0;

    for (size_t at = 0; field_font_next(buf_text(value), value->len, &at);)
        value->data[n++] = '*';
    value->len = n;
}

/* Whether the value could be read. */
static bool read_text(struct obj widget, struct obj form, struct field_text *text,
                      struct buf *value)
{
    AUTO_OBJ struct obj type = inherited(widget, form, "/FT");
    AUTO_OBJ struct obj options = inherited(widget, form, "/Opt");
    long long flags = inherited_int(widget, form, "/Ff");

    if (obj_name_is(type, "/Btn"))
        return read_button(widget, form, text, value);
    text->across = (int) inherited_int(widget, form, "/Q");
    text->lines = obj_name_is(type, "/Tx") ? flags & MULTI_LINE : !(flags & COMBO);
    if (obj_name_is(type, "/Tx") && (flags & COMB) && !text->lines)
        text->cells = inherited_int(widget, form, "/MaxLen");
    if (obj_name_is(type, "/Ch") && text->lines && obj_count(options) > 0)
        return read_options(widget, form, options, text, value);
    if (!read_value(widget, form, obj_name_is(type, "/Ch"), value))
        return false;
    if (obj_name_is(type, "/Tx") && (flags & PASSWORD))
        hide(value);
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

/* The font that the field asks for, borrowed from *resources, or the standard one like it. */
static void choose_font(struct obj widget, struct obj form, const char *name,
                        struct field_font *font, struct obj *dict)
{
    AUTO_OBJ struct obj resources = inherited(widget, form, "/DR");
    AUTO_OBJ struct obj fonts = obj_key(resources, "/Font");

    *dict = *name ? obj_key(fonts, name) : OBJ_NONE;
    if (!dict->q || !obj_is_dict(*dict))
        field_font_standard(font, name);
    else
        field_font_open(font, *dict);
}

/* The value in codes of a font: of the one chosen, or of the standard one that looks like it. */
static bool encode(struct field_font *font, const struct buf *value, struct buf *codes)
{
    char like[64];

    if (field_font_encode(font, buf_text(value), value->len, codes))
        return true;
    if (!font->dict.q)
        return false;
    codes->len = 0;
    snprintf(like, sizeof like, "/%s", font->name);
    field_font_standard(font, like);
    return field_font_encode(font, buf_text(value), value->len, codes);
}

static bool paint(struct field_painter *painter, const struct field_text *text,
                  const struct buf *value, size_t *picture)
{
    return painter && effort_spend(PICTURE) &&
           painter->draw(painter, text, buf_text(value), value->len, picture);
}

static void take_style(struct obj widget, struct obj form, struct field_text *text)
{
    AUTO_OBJ struct obj defaults = inherited(widget, form, "/DA");
    size_t n = 0;
    const char *bytes = obj_is_string(defaults) ? obj_bytes(defaults, &n) : NULL;

    if (bytes)
        field_text_style(text, bytes, n);
}

enum field_look field_look_make(struct obj widget, struct obj form, bool asked,
                                struct field_painter *painter, size_t *picture)
{
    struct field_font font;
    struct field_text text = { .font = &font };
    AUTO_BUF struct buf value = BUF_EMPTY, codes = BUF_EMPTY, content = BUF_EMPTY;
    AUTO_OBJ struct obj dict = OBJ_NONE;

    if (!is_wanted(widget, form, asked) || !measure(widget, &text))
        return FIELD_LOOK_KEPT;
    if (!read_text(widget, form, &text, &value))
        return has_look(widget) ? FIELD_LOOK_KEPT : FIELD_LOOK_FAILED;
    if (value.len == 0 && !asked && has_stream(widget))
        return FIELD_LOOK_KEPT;
    take_style(widget, form, &text);
    choose_font(widget, form, text.font_name, &font, &dict);
    text.edge = put_frame(widget, &text, &content);
    if (text.symbols) {
        buf_put(&codes, buf_text(&value), value.len);
    } else if (!encode(&font, &value, &codes)) {
        if (paint(painter, &text, &value, picture))
            return FIELD_LOOK_PAINTED;
        return has_look(widget) ? FIELD_LOOK_KEPT : FIELD_LOOK_FAILED;
    }
    buf_puts(&content, "/Tx BMC\n");
    field_text_put(&text, &codes, &content);
    buf_puts(&content, "EMC\n");
    if (content.failed || value.failed || codes.failed)
        return FIELD_LOOK_FAILED;
    give_text(widget, &text, &content);
    return FIELD_LOOK_MADE;
}

void field_look_give(struct obj widget, struct obj picture)
{
    struct field_text text = { .width = 0 };
    AUTO_BUF struct buf content = BUF_EMPTY;

    if (!measure(widget, &text))
        return;
    text.edge = put_frame(widget, &text, &content);
    buf_printf(&content, "/Tx BMC\nq %.3f %.3f %.3f %.3f re W n /F Do Q\nEMC\n", text.edge,
               text.edge, fmax(text.width - 2 * text.edge, 0),
               fmax(text.height - 2 * text.edge, 0));
    give(widget, &text, &content, "/XObject", picture);
}
