#include "pdf/field_text.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define LEADING   1.15 /* from line to line, of the font's size */
#define MAX_AUTO  12.0 /* points: an automatic size of lines begins there */
#define LEAST     4.0  /* points */
#define MAX_TEXT  (1 << 16)
#define MAX_WORDS 64 /* of a default appearance */
#define MARGIN    2.0

/* What the bytes 0x80 to 0x9F stand for in WinAnsiEncoding; 0: nothing. */
static const uint16_t windows[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178,
};

/* What the bytes 0x80 to 0xA0 stand for in PDFDocEncoding. */
static const uint16_t document[33] = {
    0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x0192, 0x2044, 0x2039, 0x203A, 0x2212,
    0x2030, 0x201E, 0x201C, 0x201D, 0x2018, 0x2019, 0x201A, 0x2122, 0xFB01, 0xFB02, 0x0141,
    0x0152, 0x0160, 0x0178, 0x017D, 0x0131, 0x0142, 0x0153, 0x0161, 0x017E, 0,      0x20AC,
};

/* Widths of the characters from 0x20 to 0x7E, in thousandths of the size. */
static const uint16_t helvetica[95] = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584,
};
static const uint16_t times[95] = {
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
    500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
    556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
    722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
    278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
};

static bool put_character(uint32_t c, struct buf *out)
{
    if (c == '\r')
        c = '\n';
    if (c == '\t')
        c = ' ';
    if (c == 0x200E || c == 0xFEFF || (c < 0x20 && c != '\n'))
        return true; /* not visible */
    if (c < 0x7F || (c >= 0xA0 && c <= 0xFF)) {
        buf_putc(out, (char) c);
        return true;
    }
    for (unsigned i = 0; i < COUNT(windows); i++)
        if (windows[i] && windows[i] == c) {
            buf_putc(out, (char) (0x80 + i));
            return true;
        }
    return false;
}

static bool read_utf16(const unsigned char *p, size_t n, struct buf *out)
{
    for (size_t i = 2; i + 1 < n; i += 2) {
        uint32_t c = (uint32_t) p[i] << 8 | p[i + 1];

        if (c == '\n' && i >= 4 && p[i - 2] == 0 && p[i - 1] == '\r')
            continue;
        if (c == 0x1B) { /* a language, up to the next escape (7.9.2.2.2) */
            for (i += 2; i + 1 < n && (p[i] || p[i + 1] != 0x1B); i += 2)
                ;
            continue;
        }
        if (!put_character(c, out))
            return false;
    }
    return true;
}

/* Surrogates, overlong forms and characters beyond U+FFFF have no place in the encoding. */
static bool read_utf8(const unsigned char *p, size_t n, struct buf *out)
{
    for (size_t i = 3; i < n; i++) {
        uint32_t c = p[i];

        if (c >= 0xE0 && c < 0xF0 && i + 2 < n) {
            c = (c & 15) << 12 | (p[i + 1] & 63U) << 6 | (p[i + 2] & 63U);
            i += 2;
        } else if (c >= 0xC0 && c < 0xE0 && i + 1 < n) {
            c = (c & 31) << 6 | (p[i + 1] & 63U);
            i++;
        } else if (c >= 0x80) {
            return false;
        }
        if (!(c == '\n' && p[i - 1] == '\r') && !put_character(c, out))
            return false;
    }
    return true;
}

bool field_text_read(const char *bytes, size_t n, struct buf *out)
{
    const unsigned char *p = (const unsigned char *) bytes;

    if (n > MAX_TEXT)
        return false;
    if (n >= 2 && p[0] == 0xFE && p[1] == 0xFF)
        return read_utf16(p, n, out);
    if (n >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF)
        return read_utf8(p, n, out);
    for (size_t i = 0; i < n; i++) {
        uint32_t c = p[i] >= 0x80 && p[i] <= 0xA0 ? document[p[i] - 0x80] : p[i];

        if (!(c == '\n' && i > 0 && p[i - 1] == '\r') && !put_character(c, out))
            return false;
    }
    return true;
}

static const char *family(const char *name)
{
    if (strstr(name, "Cour"))
        return "Courier";
    return strncmp(name, "/Ti", 3) == 0 || strstr(name, "Roman") ? "Times-Roman" : "Helvetica";
}

/* The numbers before a colour operator, which stay within what it takes. */
static void take_colour(struct field_text *text, const char *const *words, size_t at, size_t n)
{
    double v[4] = { 0 };

    if (at < n)
        return;
    for (size_t i = 0; i < n; i++) {
        v[i] = strtod(words[at - n + i], NULL);
        v[i] = v[i] >= 0 && v[i] <= 1 ? v[i] : 0;
    }
    if (n == 1)
        snprintf(text->colour, sizeof text->colour, "%.4f g", v[0]);
    else if (n == 3)
        snprintf(text->colour, sizeof text->colour, "%.4f %.4f %.4f rg", v[0], v[1], v[2]);
    else
        snprintf(text->colour, sizeof text->colour, "%.4f %.4f %.4f %.4f k", v[0], v[1], v[2],
                 v[3]);
}

void field_text_style(struct field_text *text, const char *bytes, size_t n)
{
    AUTO_FREE char *copy = strndup(bytes, n < 1000 ? n : 1000);
    const char *words[MAX_WORDS];
    char *rest = copy;
    size_t at = 0;

    for (char *word; copy && at < MAX_WORDS && (word = strsep(&rest, " \t\r\n\f"));) {
        if (!*word)
            continue;
        if (strcmp(word, "Tf") == 0 && at >= 2) {
            double size = strtod(words[at - 1], NULL);

            text->font = family(words[at - 2]);
            text->size = size > 0 && size < 1000 ? size : 0;
        } else if (strcmp(word, "g") == 0) {
            take_colour(text, words, at, 1);
        } else if (strcmp(word, "rg") == 0) {
            take_colour(text, words, at, 3);
        } else if (strcmp(word, "k") == 0) {
            take_colour(text, words, at, 4);
        }
        words[at++] = word;
    }
}

static double width_of(const struct field_text *text, const char *s, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char) s[i];
        bool roman = text->font[0] == 'T';

        if (text->font[0] == 'C')
            sum += 600;
        else if (c >= 0x20 && c < 0x7F)
            sum += (roman ? times : helvetica)[c - 0x20];
        else
            sum += roman ? 500 : 556;
    }
    return sum / 1000;
}

static double room(const struct field_text *text)
{
    return fmax(text->width - 2 * (text->edge + MARGIN), 1);
}

static void put_at(double x, double y, const char *s, size_t n, struct buf *out)
{
    buf_printf(out, "1 0 0 1 %.3f %.3f Tm <", x, y);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, "%02x", (unsigned char) s[i]);
    buf_puts(out, "> Tj\n");
}

static void put_line(const struct field_text *text, double size, double y, const char *s, size_t n,
                     struct buf *out)
{
    double rest = room(text) - width_of(text, s, n) * size, x = text->edge + MARGIN;

    if (text->across == 1)
        x += rest / 2;
    else if (text->across == 2)
        x += rest;
    put_at(x, y, s, n, out);
}

/* How much of `s` stands in one line, and in *next where the one after it begins. */
static size_t break_line(const struct field_text *text, double size, const char *s, size_t n,
                         size_t *next)
{
    size_t fits = 0, space = 0;
    double used = 0;

    while (fits < n && s[fits] != '\n') {
        used += width_of(text, s + fits, 1) * size;
        if (used > room(text) && fits > 0)
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
    double y = text->height - text->edge - MARGIN - size;
    size_t at = 0, count = 0, next;

    for (; at < value->len; at += next, count++) {
        size_t n = break_line(text, size, value->data + at, value->len - at, &next);

        if (out && y > -size)
            put_line(text, size, y, value->data + at, n, out);
        y -= size * LEADING;
    }
    return count;
}

static double fitting(const struct field_text *text, const struct buf *value)
{
    double size, wide = width_of(text, value->data, value->len);

    if (text->size > 0) /* a line that is higher than its field would be cut */
        return fmax(fmin(text->size, text->lines ? (text->height - 2 * (text->edge + MARGIN)) * 0.85
                                                 : text->height * 0.95),
                    1);
    if (!text->lines) {
        size = text->height * 0.67;
        if (wide * size > room(text) && text->cells <= 0)
            size = room(text) / wide;
        return fmax(size, 1);
    }
    size = MAX_AUTO;
    while (size > LEAST && (double) put_lines(text, size, value, NULL) * size * LEADING >
                               text->height - 2 * text->edge)
        size -= 0.5;
    return size;
}

static void put_cells(const struct field_text *text, double size, double y, const struct buf *value,
                      struct buf *out)
{
    double cell = text->width / (double) text->cells;
    size_t n = value->len < (size_t) text->cells ? value->len : (size_t) text->cells;
    size_t empty = (size_t) text->cells - n;
    size_t first = text->across == 2 ? empty : text->across == 1 ? empty / 2 : 0;

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

void field_text_put(const struct field_text *text, const struct buf *value, struct buf *out)
{
    double size, middle;

    if (value->len == 0)
        return;
    if (text->symbols) {
        put_mark(text, value->data[0], out);
        return;
    }
    size = fitting(text, value);
    middle = text->height / 2 - size * 0.36;
    buf_printf(out, "q %.3f %.3f %.3f %.3f re W n BT\n%s /F %.3f Tf\n", text->edge, text->edge,
               fmax(text->width - 2 * text->edge, 0), fmax(text->height - 2 * text->edge, 0),
               *text->colour ? text->colour : "0 g", size);
    if (text->lines)
        put_lines(text, size, value, out);
    else if (text->cells > 0 && text->cells <= MAX_TEXT)
        put_cells(text, size, middle, value, out);
    else
        put_line(text, size, middle, value->data, value->len, out);
    buf_puts(out, "ET Q\n");
}
