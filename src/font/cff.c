#include "font/cff.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/octets.h"
#include "base/scope.h"

#define MAX_OPERANDS 48

static const char *const standard[] = {
#define STRING(text) text,
#include "font/cff_strings.def"
#undef STRING
};

static_assert(COUNT(standard) == CFF_STRINGS, "all of them");

/* Reads an INDEX (clause 5). Returns where it ends; 0 if it is damaged. */
static size_t index_end(const struct cff *f, size_t at, size_t *count);

static bool index_item(const struct cff *f, size_t at, size_t i, size_t *from, size_t *to)
{
    size_t count, size, base, offsets[2] = { 0 };

    if (at + 3 > f->n)
        return false;
    count = octets_be16(f->data + at);
    size = f->data[at + 2];
    base = at + 3 + (count + 1) * size - 1;
    if (i >= count || size < 1 || size > 4 || base > f->n)
        return false;
    for (size_t k = 0; k < 2; k++)
        for (size_t b = 0; b < size; b++)
            offsets[k] = offsets[k] << 8 | f->data[at + 3 + (i + k) * size + b];
    if (offsets[0] < 1 || offsets[1] < offsets[0] || offsets[1] > f->n - base)
        return false;
    *from = base + offsets[0];
    *to = base + offsets[1];
    return true;
}

static size_t index_end(const struct cff *f, size_t at, size_t *count)
{
    size_t from, to;

    if (at > f->n || f->n - at < 2)
        return 0;
    *count = octets_be16(f->data + at);
    if (*count == 0)
        return at + 2;
    return index_item(f, at, *count - 1, &from, &to) ? to : 0;
}

/* Reads one operand of a DICT (clause 4); real numbers count as 0. False at the end of the data. */
static bool read_operand(const struct cff *f, size_t *at, size_t end, long *value)
{
    const uint8_t *p = f->data + *at;
    size_t left = end - *at;

    *value = 0;
    if (*p == 28 && left >= 3) {
        *value = (int16_t) octets_be16(p + 1);
        *at += 3;
    } else if (*p == 29 && left >= 5) {
        *value = (int32_t) octets_be32(p + 1);
        *at += 5;
    } else if (*p == 30) {
        for (++*at; *at < end && (f->data[*at] & 15) != 15; ++*at)
            ;
        ++*at;
    } else if (*p >= 32 && *p <= 246) {
        *value = *p - 139;
        *at += 1;
    } else if (*p >= 247 && *p <= 254 && left >= 2) {
        *value = *p <= 250 ? (*p - 247) * 256 + p[1] + 108 : -(*p - 251) * 256 - p[1] - 108;
        *at += 2;
    } else {
        return false;
    }
    return *at <= end;
}

struct top {
    long charset, encoding, glyphs;
};

static bool read_top(struct cff *f, size_t at, size_t end, struct top *top)
{
    long last = 0;

    while (at < end) {
        unsigned op = f->data[at];

        if (op > 21) {
            if (!read_operand(f, &at, end, &last))
                return false;
            continue;
        }
        at++;
        if (op == 12 && at < end)
            op = 1200u + f->data[at++];
        if (op == 15)
            top->charset = last;
        else if (op == 16)
            top->encoding = last;
        else if (op == 17)
            top->glyphs = last;
        else if (op == 1230)
            f->by_cid = true;
        last = 0;
    }
    return top->glyphs > 0;
}

/* Reads the charset (clause 13): one entry for each glyph, or ranges of consecutive numbers. */
static bool read_charset(struct cff *f, long offset)
{
    size_t at = (size_t) offset, glyph = 1, width;

    f->charset = calloc(f->n_glyphs, sizeof *f->charset);
    if (!f->charset)
        return false;
    /* ISOAdobe; the expert charsets are not supported, and their glyphs are not found */
    if (offset <= 2) {
        for (size_t i = 0; i < f->n_glyphs && offset == 0; i++)
            f->charset[i] = (uint16_t) i;
        return offset == 0;
    }
    if (at >= f->n || f->data[at] > 2)
        return false;
    width = f->data[at++];
    while (glyph < f->n_glyphs) {
        size_t left = 0, first;

        if (f->n < 4 || at > f->n - 4 + (2 - width))
            return false;
        first = octets_be16(f->data + at);
        at += 2;
        for (size_t i = 0; i < width; i++)
            left = left << 8 | f->data[at++];
        for (size_t i = 0; i <= left && glyph < f->n_glyphs; i++)
            f->charset[glyph++] = (uint16_t) (first + i);
    }
    return true;
}

/* Reads the encoding (clause 12). Format 1 has ranges of codes; supplements list glyphs that are
 * encoded twice. */
static bool read_encoding(struct cff *f, long offset)
{
    size_t at = (size_t) offset, n, glyph = 1;
    unsigned format;

    if (offset <= 1)
        return offset == 0; /* the expert encoding has names that are not known here */
    if (at + 2 > f->n)
        return false;
    f->known_codes = true;
    format = f->data[at];
    n = f->data[at + 1];
    at += 2;
    for (size_t i = 0; i < n; i++) {
        size_t left = 0, code;

        if (at + 2 > f->n)
            return false;
        code = f->data[at++];
        if (format & 1)
            left = f->data[at++];
        for (size_t k = 0; k <= left && code + k < 256; k++)
            f->codes[code + k] = (uint16_t) glyph++;
    }
    /* Supplements assign codes to names: fonts with one are kept whole. */
    return (format & 0x80) == 0;
}

bool cff_open(struct cff *font, const void *data, size_t n)
{
    struct top top = { 0 };
    size_t at, from, to, count;

    *font = (struct cff){ .data = data, .n = n };
    if (n < 4 || font->data[2] > n || !(at = index_end(font, font->data[2], &count)) ||
        count != 1 || !index_item(font, at, 0, &from, &to) || !read_top(font, from, to, &top))
        return false;
    font->strings = index_end(font, at, &count);
    if (!font->strings || count != 1 || !index_end(font, font->strings, &count) ||
        (size_t) top.glyphs >= n || !index_end(font, (size_t) top.glyphs, &font->n_glyphs) ||
        font->n_glyphs == 0 || top.charset < 0 || top.encoding < 0 ||
        !read_charset(font, top.charset) || (!font->by_cid && !read_encoding(font, top.encoding))) {
        cff_close(font);
        return false;
    }
    return true;
}

void cff_close(struct cff *font)
{
    free(font->charset);
    *font = (struct cff){ 0 };
}

unsigned cff_glyph_of_name(const struct cff *font, const char *name)
{
    size_t len = strlen(name);

    for (size_t i = 1; i < font->n_glyphs && !font->by_cid; i++) {
        size_t sid = font->charset[i], from, to;

        if (sid < COUNT(standard)) {
            if (strcmp(standard[sid], name) == 0)
                return (unsigned) i;
        } else if (index_item(font, font->strings, sid - COUNT(standard), &from, &to) &&
                   to - from == len && memcmp(font->data + from, name, len) == 0) {
            return (unsigned) i;
        }
    }
    return 0;
}

/* Marks the strings that operands of the Top DICT may be, by their index. */
static bool mark_dict_strings(const struct cff *font, size_t count, uint8_t *needed)
{
    size_t n, at = index_end(font, font->data[2], &n), end;
    long value;

    if (!index_item(font, at, 0, &at, &end))
        return false;
    while (at < end) {
        if (font->data[at] <= 21)
            at++;
        else if (!read_operand(font, &at, end, &value))
            return false;
        else if (value >= CFF_STRINGS && (size_t) value - CFF_STRINGS < count)
            needed[value - CFF_STRINGS] = 1;
    }
    return true;
}

void cff_blank_names(uint8_t *data, size_t n, const uint64_t *keep)
{
    AUTO_CFF struct cff font = { 0 };
    AUTO_FREE uint8_t *needed = NULL;
    size_t count, from, to;

    if (!cff_open(&font, data, n) || font.by_cid)
        return;
    count = octets_be16(data + font.strings);
    needed = calloc(count + 1, sizeof *needed);
    if (!needed || !mark_dict_strings(&font, count, needed))
        return;
    for (size_t i = 0; i < font.n_glyphs; i++) {
        size_t string = (size_t) font.charset[i] - CFF_STRINGS; /* huge for a standard one */

        if (string < count && bits_has(keep, i))
            needed[string] = 1;
    }
    for (size_t i = 1; i < font.n_glyphs; i++) {
        size_t string = (size_t) font.charset[i] - CFF_STRINGS;

        if (string < count && !needed[string] &&
            index_item(&font, font.strings, string, &from, &to))
            memset(data + from, '-', to - from);
    }
}

size_t cff_standard_string(const char *text, size_t n)
{
    for (size_t i = 1; i < COUNT(standard); i++)
        if (strlen(standard[i]) == n && memcmp(standard[i], text, n) == 0)
            return i;
    return 0;
}

static void put_big_endian(struct buf *out, unsigned bytes, size_t value)
{
    while (bytes-- > 0)
        buf_putc(out, (char) (value >> 8 * bytes));
}

bool cff_wrap(const struct cff *font, struct buf *out)
{
    static const char head[] =
        "\0\1\0\0\0\1\0\0\0\0\0\0\x5f\x0f\x3c\xf5\0\0\3\xe8"
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\10\0\2\0\0\0";
    static const char hhea[] =
        "\0\1\0\0\3\x20\xff\x38\0\0\3\xe8\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
        "\0\0\0\0\0\1";
    size_t sizes[] = { font->n, 54, 36, 2 + 2 * font->n_glyphs, 6 };
    static const char *const tags[] = { "CFF ", "head", "hhea", "hmtx", "maxp" };
    size_t at = 12 + 16 * COUNT(tags), start = out->len;

    buf_puts(out, "OTTO");
    put_big_endian(out, 2, COUNT(tags));
    put_big_endian(out, 6, (size_t) 64 << 32 | 2 << 16 | 16);
    for (size_t i = 0; i < COUNT(tags); i++) {
        buf_puts(out, tags[i]);
        put_big_endian(out, 4, 0);
        put_big_endian(out, 4, at);
        put_big_endian(out, 4, sizes[i]);
        at += (sizes[i] + 3) & ~(size_t) 3;
    }
    for (size_t i = 0; i < COUNT(tags); i++) {
        if (i == 0)
            buf_put(out, font->data, font->n);
        else if (i == 1)
            buf_put(out, head, 54);
        else if (i == 2)
            buf_put(out, hhea, 36);
        else if (i == 3) {
            put_big_endian(out, 4, 500u << 16);
            for (size_t k = 1; k < font->n_glyphs; k++)
                put_big_endian(out, 2, 0);
        } else {
            put_big_endian(out, 4, 0x5000);
            put_big_endian(out, 2, font->n_glyphs);
        }
        while ((out->len - start) % 4)
            buf_putc(out, 0);
    }
    return !out->failed;
}
