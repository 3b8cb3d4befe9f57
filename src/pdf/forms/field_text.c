#include "pdf/forms/field_text.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/content/operators.h"
#include "syntax/pdf/literal.h"

#define MAX_AUTO 12.0 /* points: an automatic size of lines begins there */
#define LEAST    4.0  /* points */
#define MAX_TEXT (1 << 16)

static void put_character(uint32_t c, struct buf *out)
{
    if (c == '\r')
        c = '\n';
    if (c == '\t')
        c = ' ';
    if ((c < 0x20 && c != '\n') || (c >= 0x7F && c < 0xA0) || c == 0xFEFF || c > 0x10FFFF ||
        (c >= 0xD800 && c < 0xE000))
        return; /* not visible */
    utf8_put(c, out);
}

static void read_utf16(const unsigned char *p, size_t n, struct buf *out)
{
    for (size_t i = 2; i + 1 < n; i += 2) {
        uint32_t c = octets_be16(p + i);

        if (c == '\n' && i >= 4 && octets_be16(p + i - 2) == '\r')
            continue;
        if (c == 0x1B) { /* a language, up to the next escape (7.9.2.2.2) */
            for (i += 2; i + 1 < n && octets_be16(p + i) != 0x1B; i += 2)
                ;
            continue;
        }
        if (c >= 0xD800 && c < 0xDC00 && i + 3 < n && (octets_be16(p + i + 2) & 0xFC00) == 0xDC00) {
            c = 0x10000 + ((c & 0x3FF) << 10 | (octets_be16(p + i + 2) & 0x3FF));
            i += 2;
        }
        put_character(c, out);
    }
}

static bool read_utf8(const char *bytes, size_t n, struct buf *out)
{
    uint32_t c;

    for (size_t i = 3, length; i < n; i += length) {
        length = utf8_decode(bytes + i, n - i, &c);
        if (length == 0)
            return false;
        if (!(c == '\n' && bytes[i - 1] == '\r'))
            put_character(c, out);
    }
    return true;
}

bool field_text_read(const char *bytes, size_t n, struct buf *out)
{
    const unsigned char *p = (const unsigned char *) bytes;

    if (n > MAX_TEXT)
        return false;
    if (n >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF)
        return read_utf8(bytes, n, out);
    if (n >= 2 && p[0] == 0xFE && p[1] == 0xFF) {
        read_utf16(p, n, out);
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t c = p[i] >= 0x80 && p[i] <= 0xA0 ? field_font_pdf_doc(p[i]) : p[i];

        if (!(c == '\n' && i > 0 && p[i - 1] == '\r'))
            put_character(c, out);
    }
    return true;
}

static uint32_t rgb_of(double red, double green, double blue)
{
    return (uint32_t) (red * 255 + 0.5) << 16 | (uint32_t) (green * 255 + 0.5) << 8 |
           (uint32_t) (blue * 255 + 0.5);
}

/* The last operands of a colour operator. Numbers out of its range count as 0. */
static void read_colour(struct field_text *text, const struct operand *operands, size_t n_operands,
                        size_t n)
{
    double v[4] = { 0 };

    if (n_operands < n)
        return;
    for (size_t i = 0; i < n; i++) {
        v[i] = operators_number(operands, n_operands, n_operands - n + i);
        v[i] = v[i] >= 0 && v[i] <= 1 ? v[i] : 0;
    }
    if (n == 1) {
        snprintf(text->colour, sizeof text->colour, "%.4f g", v[0]);
        text->rgb = rgb_of(v[0], v[0], v[0]);
    } else if (n == 3) {
        snprintf(text->colour, sizeof text->colour, "%.4f %.4f %.4f rg", v[0], v[1], v[2]);
        text->rgb = rgb_of(v[0], v[1], v[2]);
    } else {
        snprintf(text->colour, sizeof text->colour, "%.4f %.4f %.4f %.4f k", v[0], v[1], v[2],
                 v[3]);
        text->rgb =
            rgb_of((1 - v[0]) * (1 - v[3]), (1 - v[1]) * (1 - v[3]), (1 - v[2]) * (1 - v[3]));
    }
}

static bool read_operator(void *arg, const char *op, const struct operand *operands, size_t n)
{
    struct field_text *text = arg;

    if (strcmp(op, "Tf") == 0 && n >= 2 && operands[n - 2].type == OPERAND_NAME) {
        double size = operators_number(operands, n, n - 1);

        snprintf(text->font_name, sizeof text->font_name, "%s", operands[n - 2].bytes);
        text->size = size > 0 && size < 1000 ? size : 0;
    } else if (strcmp(op, "g") == 0) {
        read_colour(text, operands, n, 1);
    } else if (strcmp(op, "rg") == 0) {
        read_colour(text, operands, n, 3);
    } else if (strcmp(op, "k") == 0) {
        read_colour(text, operands, n, 4);
    }
    return true;
}

void field_text_style(struct field_text *text, const char *bytes, size_t n)
{
    operators_read((const unsigned char *) bytes, n, read_operator, text);
}

static double width_of(const struct field_text *text, const char *s, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += text->font->widths[(unsigned char) s[i]];
    return sum / 1000;
}

/* Between the side of the field and the text: twice the border, as viewers draw it (a border of one
 * point is the default, also where it has no colour). */
static double inset_of(const struct field_text *text)
{
    return fmax(2 * text->edge, FIELD_TEXT_MARGIN);
}

double field_text_room(const struct field_text *text)
{
    return fmax(text->width - 2 * inset_of(text), 1);
}

double field_text_start(const struct field_text *text, double width)
{
    double rest = field_text_room(text) - width;

    return inset_of(text) + (text->across == 1 ? rest / 2 : text->across == 2 ? rest : 0);
}

size_t field_text_first_cell(const struct field_text *text, size_t count)
{
    size_t empty = (size_t) text->cells > count ? (size_t) text->cells - count : 0;

    return text->across == 2 ? empty : text->across == 1 ? empty / 2 : 0;
}

static void put_at(double x, double y, const char *s, size_t n, struct buf *out)
{
    buf_printf(out, "1 0 0 1 %.3f %.3f Tm ", x, y);
    literal_put_hex(out, s, n);
    buf_puts(out, " Tj\n");
}

static void put_text_line(const struct field_text *text, double size, double y, const char *s,
                          size_t n, struct buf *out)
{
    put_at(field_text_start(text, width_of(text, s, n) * size), y, s, n, out);
}

/* Returns how much of `s` fits one line, and in *next where the next line begins. */
static size_t break_line(const struct field_text *text, double size, const char *s, size_t n,
                         size_t *next)
{
    size_t fits = 0, space = 0;
    double used = 0;

    while (fits < n && s[fits] != '\n') {
        used += width_of(text, s + fits, 1) * size;
        if (used > field_text_room(text) && fits > 0)
            break;
        if (s[fits] == ' ')
            space = fits;
        fits++;
    }
    if (fits == n || s[fits] == '\n' || space == 0) {
        *next = fits + (fits < n && s[fits] == '\n');
        return fits;
    }
    *next = space + 1;
    return space;
}

/* Returns the number of lines; puts them out unless `out` is NULL. */
static size_t put_lines(const struct field_text *text, double size, const struct buf *value,
                        struct buf *out)
{
    double leading = size * text->font->leading, y = text->height - inset_of(text) - leading;
    size_t at = 0, count = 0, next;

    for (; at < value->len; at += next, count++) {
        size_t n = break_line(text, size, value->data + at, value->len - at, &next);

        if (out && y > -size)
            put_text_line(text, size, y, value->data + at, n, out);
        y -= leading;
    }
    return count;
}

double field_text_line_size(const struct field_text *text)
{
    double room_high = text->lines ? (text->height - 2 * (text->edge + FIELD_TEXT_MARGIN)) * 0.85
                                   : text->height * 0.95;

    return fmax(fmin(text->size, room_high), 1); /* a higher line would be cut */
}

double field_text_list_size(const struct field_text *text)
{
    return text->size > 0 ? field_text_line_size(text) : fmin(MAX_AUTO, text->height);
}

static double fitting(const struct field_text *text, const struct buf *value)
{
    double size, wide = width_of(text, value->data, value->len);

    if (text->size > 0)
        return field_text_line_size(text);
    if (!text->lines) {
        size = (text->height - 2 * text->edge) / FIELD_TEXT_AUTO;
        if (wide * size > field_text_room(text) && text->cells <= 0)
            size = field_text_room(text) / wide;
        return fmax(size, 1);
    }
    size = MAX_AUTO;
    while (size > LEAST &&
           (double) put_lines(text, size, value, NULL) * size * text->font->leading >
               text->height - 2 * inset_of(text))
        size -= 0.5;
    return size;
}

static void put_cells(const struct field_text *text, double size, double y, const struct buf *value,
                      struct buf *out)
{
    double cell = text->width / (double) text->cells;
    size_t n = value->len < (size_t) text->cells ? value->len : (size_t) text->cells;
    size_t first = field_text_first_cell(text, n);

    for (size_t i = 0; i < n; i++) {
        double wide = width_of(text, value->data + i, 1) * size;

        put_at(cell * (double) (first + i) + (cell - wide) / 2, y, value->data + i, 1, out);
    }
}

/* The marks of buttons that ZapfDingbats has, as paths on a square of 1 by 1: not every viewer has
 * that font. The last is for any other mark. */
static const struct mark {
    char code;
    const char *path;
} marks[] = {
    { 'l', ".15 .5 m .15 .69 .31 .85 .5 .85 c .69 .85 .85 .69 .85 .5 c .85 .31 .69 .15 .5 .15 c "
           ".31 .15 .15 .31 .15 .5 c f" },
    { '8', ".2 .2 m .8 .8 l .2 .8 m .8 .2 l S" },
    { 'n', ".2 .2 .6 .6 re f" },
    { 'u', ".5 .1 m .9 .5 l .5 .9 l .1 .5 l f" },
    { 'H', ".5 .92 m .6 .62 l .92 .62 l .66 .42 l .76 .1 l .5 .3 l .24 .1 l .34 .42 l .08 .62 l "
           ".4 .62 l f" },
    { '4', ".18 .5 m .4 .2 l .82 .82 l S" },
};

static void put_mark(const struct field_text *text, char code, struct buf *out)
{
    double side = fmax(fmin(text->width, text->height) - 2 * text->edge, 0.1);
    const char *colour = *text->colour ? text->colour : "0 g";
    size_t at = 0;

    while (at + 1 < COUNT(marks) && marks[at].code != code)
        at++;
    buf_printf(out, "q %s ", colour);
    for (; *colour; colour++) /* the operators of strokes are those of fills in capitals */
        buf_putc(out, *colour >= 'a' && *colour <= 'z' ? (char) (*colour - 'a' + 'A') : *colour);
    buf_printf(out, " %.3f 0 0 %.3f %.3f %.3f cm .12 w %s Q\n", side, side,
               (text->width - side) / 2, (text->height - side) / 2, marks[at].path);
}

/* The options of a list box, which begin at its top. */
static void put_options(const struct field_text *text, double size, const struct buf *value,
                        struct buf *out)
{
    double top = text->height - text->edge, line = size * FIELD_TEXT_LEADING;
    double baseline = line / 2 + size * text->font->middle;
    size_t at = 0;

    for (size_t i = 0; i < text->n_options && at <= value->len; i++) {
        const char *begin = value->data + at;
        const char *end = memchr(begin, '\n', value->len - at);
        size_t n = end ? (size_t) (end - begin) : value->len - at;

        put_text_line(text, size, top - baseline, begin, n, out);
        top -= line;
        at += n + 1;
    }
}

static void put_selection(const struct field_text *text, double size, struct buf *out)
{
    double line = size * FIELD_TEXT_LEADING, top = text->height - text->edge;

    for (size_t i = 0; i < text->n_options; i++)
        if (text->selected[i])
            buf_printf(out, FIELD_TEXT_SELECTED_OPS " %.3f %.3f %.3f %.3f re f\n", text->edge,
                       top - (double) (i + 1) * line, fmax(text->width - 2 * text->edge, 0), line);
}

void field_text_put(const struct field_text *text, const struct buf *value, struct buf *out)
{
    double size, middle;

    if (value->len == 0)
        return;
    if (text->symbols) {
        put_mark(text, value->data[0], out);
        return;
    }
    size = text->n_options ? field_text_list_size(text) : fitting(text, value);
    middle = text->height / 2 - size * text->font->middle;
    buf_printf(out, "q %.3f %.3f %.3f %.3f re W n\n", text->edge, text->edge,
               fmax(text->width - 2 * text->edge, 0), fmax(text->height - 2 * text->edge, 0));
    put_selection(text, size, out);
    buf_printf(out, "BT\n%s /F %.3f Tf\n", *text->colour ? text->colour : "0 g", size);
    if (text->n_options)
        put_options(text, size, value, out);
    else if (text->lines)
        put_lines(text, size, value, out);
    else if (text->cells > 0 && text->cells <= FIELD_TEXT_CELLS)
        put_cells(text, size, middle, value, out);
    else
        put_text_line(text, size, middle, value->data, value->len, out);
    buf_puts(out, "ET Q\n");
}

/* Whether text of a script that runs to the left has that character (from Hebrew to Arabic). */
static bool runs_left(uint32_t c)
{
    return (c >= 0x590 && c < 0x900) || (c >= 0xFB1D && c < 0xFE00) ||
           (c >= 0xFE70 && c < 0xFEFF) || (c >= 0x10800 && c < 0x11000) ||
           (c >= 0x1E800 && c < 0x1F000);
}

bool field_text_begins_right(const char *utf8, size_t n)
{
    uint32_t c;

    for (size_t at = 0; (c = utf8_next(utf8, n, &at));) {
        if (runs_left(c))
            return true;
        if ((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c >= 0xC0)
            return false;
    }
    return false;
}

/* Whether a character is drawn on the one before it. */
static bool is_mark(uint32_t c)
{
    return (c >= 0x300 && c < 0x370) || (c >= 0x591 && c < 0x5C8) || (c >= 0x64B && c < 0x660) ||
           (c >= 0x93A && c < 0x950) || c == 0xE31 || (c >= 0xE34 && c < 0xE3B) ||
           (c >= 0xE47 && c < 0xE4F) || (c >= 0xFE00 && c < 0xFE10) || c == 0x200D;
}

size_t field_text_cluster(const char *utf8, size_t n, size_t at)
{
    size_t next = at;

    utf8_next(utf8, n, &next);
    for (size_t end = next; end < n; next = end)
        if (!is_mark(utf8_next(utf8, n, &end)))
            break;
    return next;
}

size_t field_text_paragraph(const char *utf8, size_t n, size_t at)
{
    const char *end = memchr(utf8 + at, '\n', n - at);

    return end ? (size_t) (end - utf8) - at : n - at;
}
