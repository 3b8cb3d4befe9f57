/* type1_cff: converts Type 1 fonts to CFF (Adobe technical note 5176). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/scope.h"
#include "font/cff.h"
#include "font/type1.h"
#include "font/type1_glyph.h"
#include "font/type2.h"

#define MAX_BYTES (64U << 20) /* limit of all charstrings together */

/* Operators of dictionaries; two-byte operators begin with 12. */
enum dict_op {
    TOP_BBOX = 5,
    TOP_CHARSET = 15,
    TOP_ENCODING = 16,
    TOP_GLYPHS = 17,
    TOP_PRIVATE = 18,
    TOP_MATRIX = 0x0c07,
    PRIVATE_WIDTH = 20, /* width of glyphs that do not state one */
};

/* The contents of an INDEX (clause 5). */
struct list {
    struct buf bytes;
    uint32_t ends[TYPE1_GLYPHS + 1];
    size_t n;
};

struct writer {
    const struct type1 *font;
    const uint64_t *keep;
    /* order: glyphs in the order of writing; index: its inverse */
    uint16_t order[TYPE1_GLYPHS], index[TYPE1_GLYPHS];
    uint16_t sids[TYPE1_GLYPHS]; /* the names of the glyphs, by `order` */
    double widths[TYPE1_GLYPHS];
    size_t n, n_encoded;
    uint8_t codes[257]; /* the first code of each encoded glyph, by `order` from 1 */
    double width;       /* the most frequent width */
    struct list strings, glyphs, name, top;
    struct buf private, encoding, charset;
};

static void put_big_endian(struct buf *out, unsigned bytes, size_t value)
{
    while (bytes-- > 0)
        buf_putc(out, (char) (value >> 8 * bytes));
}

static void put_op(struct buf *out, unsigned op)
{
    put_big_endian(out, op > 255 ? 2 : 1, op);
}

/* Writes a number that may be changed later, always in five bytes. */
static void put_long(struct buf *out, size_t value)
{
    put_big_endian(out, 1, 29);
    put_big_endian(out, 4, value);
}

/* Writes a number of a dictionary: as decimal digits, two to a byte, unless it is a small
 * integer. */
static void put_value(struct buf *out, double value)
{
    static const char digits[] = "0123456789.";
    char text[32];
    unsigned nibbles[64];
    size_t n = 0;

    if (value == rint(value) && fabs(value) < 30000) {
        type2_put_number(value, out);
        return;
    }
    snprintf(text, sizeof text, "%.9g", value);
    for (const char *p = text; *p; p++) {
        if (*p == 'e')
            nibbles[n++] = p[1] == '-' ? 12 : 11;
        else if (*p == '-' && p == text)
            nibbles[n++] = 14;
        else if (strchr(digits, *p))
            nibbles[n++] = (unsigned) (strchr(digits, *p) - digits);
    }
    nibbles[n++] = 15;
    nibbles[n] = 15;
    buf_putc(out, 30);
    for (size_t i = 0; i < n; i += 2)
        buf_putc(out, (char) (nibbles[i] << 4 | nibbles[i + 1]));
}

static void put_values(struct buf *out, const struct type1_values *values, unsigned op, bool delta)
{
    if (values->n == 0)
        return;
    for (size_t i = 0; i < values->n; i++)
        put_value(out, values->list[i] - (delta && i > 0 ? values->list[i - 1] : 0));
    put_op(out, op);
}

static bool end_item(struct list *list)
{
    if (list->n == COUNT(list->ends) || list->bytes.len > MAX_BYTES)
        return false;
    list->ends[list->n++] = (uint32_t) list->bytes.len;
    return !list->bytes.failed;
}

static void put_list(struct buf *out, const struct list *list)
{
    unsigned size = list->bytes.len < 255 ? 1 : list->bytes.len < 65535 ? 2 : 4;

    put_big_endian(out, 2, list->n);
    if (list->n == 0)
        return;
    put_big_endian(out, 1, size);
    put_big_endian(out, size, 1);
    for (size_t i = 0; i < list->n; i++)
        put_big_endian(out, size, list->ends[i] + 1U);
    buf_put(out, list->bytes.data, list->bytes.len);
}

static bool is_kept(const struct writer *w, size_t glyph)
{
    return bits_has(w->keep, glyph);
}

static void add_glyph(struct writer *w, size_t glyph)
{
    w->index[glyph] = (uint16_t) w->n;
    w->order[w->n++] = (uint16_t) glyph;
}

/* Puts encoded glyphs first, in the order of their codes, as the encoding table requires. */
static void order_glyphs(struct writer *w)
{
    add_glyph(w, 0);
    for (unsigned code = 0; code < 256 && !w->font->standard; code++) {
        const struct type1_text *name = &w->font->encoding[code];
        size_t glyph = name->n > 0 ? type1_find(w->font, name->data, name->n) : 0;

        if (!glyph || !is_kept(w, glyph) || w->index[glyph])
            continue;
        w->codes[w->n] = (uint8_t) code;
        add_glyph(w, glyph);
    }
    w->n_encoded = w->n - 1;
    for (size_t i = 1; i < w->font->n_glyphs; i++)
        if (is_kept(w, i) && !w->index[i])
            add_glyph(w, i);
}

static bool name_glyphs(struct writer *w)
{
    for (size_t i = 1; i < w->n; i++) {
        const struct type1_text *name = &w->font->glyphs[w->order[i]].name;
        size_t sid = cff_standard_string(name->data, name->n);

        if (!sid) {
            sid = CFF_STRINGS + w->strings.n;
            buf_put(&w->strings.bytes, name->data, name->n);
            if (!end_item(&w->strings))
                return false;
        }
        w->sids[i] = (uint16_t) sid;
    }
    return true;
}

/* Writes the codes, then those of glyphs that are encoded more than once (clause 12). */
static void write_encoding(struct writer *w)
{
    AUTO_BUF struct buf more = BUF_EMPTY;

    for (unsigned code = 0; code < 256; code++) {
        const struct type1_text *name = &w->font->encoding[code];
        size_t glyph = name->n > 0 ? type1_find(w->font, name->data, name->n) : 0;

        if (!glyph || !w->index[glyph] || w->codes[w->index[glyph]] == code)
            continue;
        put_big_endian(&more, 1, code);
        put_big_endian(&more, 2, w->sids[w->index[glyph]]);
    }
    put_big_endian(&w->encoding, 1, more.len > 0 ? 0x80 : 0);
    put_big_endian(&w->encoding, 1, w->n_encoded);
    buf_put(&w->encoding, w->codes + 1, w->n_encoded);
    if (more.len > 0) {
        put_big_endian(&w->encoding, 1, more.len / 3);
        buf_put(&w->encoding, more.data, more.len);
    }
    w->encoding.failed |= more.failed;
}

static int compare_widths(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

/* Finds the most frequent width. */
static bool find_width(struct writer *w)
{
    AUTO_FREE double *sorted = calloc(w->n, sizeof *sorted);
    size_t most = 0;

    if (!sorted)
        return false;
    memcpy(sorted, w->widths, w->n * sizeof *sorted);
    qsort(sorted, w->n, sizeof *sorted, compare_widths);
    for (size_t i = 0, from = 0; i < w->n; i++) {
        if (sorted[i] != sorted[from])
            from = i;
        if (i - from + 1 > most && sorted[i] == rint(sorted[i])) {
            most = i - from + 1;
            w->width = sorted[i];
        }
    }
    return true;
}

static bool put_glyphs(struct writer *w)
{
    AUTO_BUF struct buf codes = BUF_EMPTY;
    AUTO_FREE size_t *ends = calloc(w->n, sizeof *ends);
    size_t at = 0;

    if (!ends)
        return false;
    for (size_t i = 0; i < w->n; i++) {
        if (!type1_glyph(w->font, w->order[i], &w->widths[i], &codes) || codes.len > MAX_BYTES)
            return false;
        ends[i] = codes.len;
    }
    if (!find_width(w))
        return false;
    for (size_t i = 0; i < w->n; i++) {
        if (w->widths[i] != w->width && !type2_put_number(w->widths[i], &w->glyphs.bytes))
            return false;
        buf_put(&w->glyphs.bytes, codes.data + at, ends[i] - at);
        at = ends[i];
        if (!end_item(&w->glyphs))
            return false;
    }
    return true;
}

static void put_private(struct writer *w)
{
    for (size_t i = 0; i < TYPE1_KEYS; i++)
        put_values(&w->private, &w->font->values[i], type1_keys[i].op, type1_keys[i].delta);
    put_value(&w->private, w->width);
    put_op(&w->private, PRIVATE_WIDTH);
}

/* Whether the matrix is the default: a thousand units to the em. */
static bool is_usual(const struct type1_values *matrix)
{
    static const double usual[] = { 0.001, 0, 0, 0.001, 0, 0 };

    for (size_t i = 0; i < COUNT(usual); i++)
        if (matrix->list[i] != usual[i])
            return false;
    return true;
}

/* Writes the parts in their order; `at`: where the tables after the lists begin. */
static bool put_top(struct writer *w, size_t at)
{
    struct buf *out = &w->top.bytes;
    size_t charset = at + w->encoding.len, glyphs = charset + w->charset.len;
    size_t private = glyphs + 3 + w->glyphs.bytes.len +
                     (w->n + 1) * (w->glyphs.bytes.len < 255     ? 1U
                                   : w->glyphs.bytes.len < 65535 ? 2U
                                                                 : 4U);

    out->len = w->top.n = 0;
    if (!is_usual(&w->font->matrix))
        put_values(out, &w->font->matrix, TOP_MATRIX, false);
    put_values(out, &w->font->bbox, TOP_BBOX, false);
    put_long(out, charset);
    put_op(out, TOP_CHARSET);
    if (w->encoding.len > 0) {
        put_long(out, at);
        put_op(out, TOP_ENCODING);
    }
    put_long(out, glyphs);
    put_op(out, TOP_GLYPHS);
    put_long(out, w->private.len);
    put_long(out, private);
    put_op(out, TOP_PRIVATE);
    return end_item(&w->top);
}

static bool assemble(struct writer *w, struct buf *out)
{
    size_t start;

    for (size_t pass = 0, at = 0; pass < 2; pass++) {
        start = out->len;
        if (!put_top(w, at))
            return false;
        buf_put(out, "\1\0\4\4", 4);
        put_list(out, &w->name);
        put_list(out, &w->top);
        put_list(out, &w->strings);
        put_big_endian(out, 2, 0); /* no global subroutines */
        at = out->len - start;
        if (pass == 0)
            out->len = start;
    }
    buf_put(out, w->encoding.data, w->encoding.len);
    buf_put(out, w->charset.data, w->charset.len);
    put_list(out, &w->glyphs);
    buf_put(out, w->private.data, w->private.len);
    return !(out->failed || w->private.failed || w->encoding.failed || w->charset.failed);
}

static bool convert_font(struct writer *w, struct buf *out)
{
    order_glyphs(w);
    if (w->n_encoded > 255) /* more than the table can hold */
        return false;
    buf_put(&w->name.bytes, w->font->name.data + 1, w->font->name.n - 1);
    if (!end_item(&w->name) || !name_glyphs(w) || !put_glyphs(w))
        return false;
    put_private(w);
    if (!w->font->standard)
        write_encoding(w);
    put_big_endian(&w->charset, 1, 0);
    for (size_t i = 1; i < w->n; i++)
        put_big_endian(&w->charset, 2, w->sids[i]);
    return assemble(w, out);
}

bool type1_to_cff(const struct type1 *font, const uint64_t *keep, struct buf *out)
{
    AUTO_FREE struct writer *w = calloc(1, sizeof *w);
    bool done;

    if (!w)
        return false;
    w->font = font;
    w->keep = keep;
    done = convert_font(w, out);
    buf_free(&w->name.bytes);
    buf_free(&w->top.bytes);
    buf_free(&w->strings.bytes);
    buf_free(&w->glyphs.bytes);
    buf_free(&w->private);
    buf_free(&w->encoding);
    buf_free(&w->charset);
    return done;
}
