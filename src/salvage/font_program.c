#include "salvage/font_program.h"

#include <string.h>

#include "base/octets.h"
#include "base/scope.h"

#define CODES    256
#define GLYPHS   65536U
#define THOUSAND 1000U   /* units of an em in a PDF */
#define SYMBOLS  0xf000U /* codes of symbolic fonts in tables for Windows begin here */

struct table {
    const unsigned char *at; /* NULL: it is missing or cut off */
    size_t n;
};

struct program {
    struct table head, hhea, hmtx, cmap;
    unsigned units;   /* of an em */
    unsigned metrics; /* glyphs that have widths of their own */
};

static struct table find_table(const unsigned char *data, size_t n, const char *name)
{
    unsigned tables = octets_be16(data + 4);

    for (size_t i = 0, at = 12; i < tables && at + 16 <= n; i++, at += 16) {
        size_t from = octets_be32(data + at + 8), length = octets_be32(data + at + 12);

        if (memcmp(data + at, name, 4) == 0)
            return from <= n && length <= n - from ? (struct table){ data + from, length }
                                                   : (struct table){ 0 };
    }
    return (struct table){ 0 };
}

static bool has_table(const unsigned char *data, size_t n, const char *name)
{
    return find_table(data, n, name).at != NULL;
}

static bool open_program(const unsigned char *data, size_t n, struct program *p)
{
    if (n < 12 || (octets_be32(data) != 0x00010000 && memcmp(data, "true", 4) != 0))
        return false;
    *p = (struct program){ .head = find_table(data, n, "head"),
                           .hhea = find_table(data, n, "hhea"),
                           .hmtx = find_table(data, n, "hmtx"),
                           .cmap = find_table(data, n, "cmap") };
    if (p->head.n < 54 || p->hhea.n < 36 || !has_table(data, n, "glyf") ||
        !has_table(data, n, "loca") || !has_table(data, n, "maxp"))
        return false;
    p->units = octets_be16(p->head.at + 18);
    p->metrics = octets_be16(p->hhea.at + 34);
    return p->units > 0 && p->metrics > 0 && p->hmtx.n >= (size_t) p->metrics * 4;
}

/* In thousandths of an em. */
static unsigned width_of(const struct program *p, unsigned glyph)
{
    unsigned i = glyph < p->metrics ? glyph : p->metrics - 1;

    return octets_be16(p->hmtx.at + (size_t) i * 4) * THOUSAND / p->units;
}

/* The glyph of a code by a segment table (format 4). */
static unsigned by_segments(struct table t, unsigned code)
{
    size_t twice = t.n >= 16 ? octets_be16(t.at + 6) & ~1U : 0;

    if (t.n < 16 + 4 * twice)
        return 0;
    for (size_t i = 0; i < twice; i += 2) {
        const unsigned char *end = t.at + 14 + i, *start = end + twice + 2;
        unsigned delta = octets_be16(start + twice), range = octets_be16(start + 2 * twice);
        size_t at =
            (size_t) (start + 2 * twice - t.at) + range + (size_t) 2 * (code - octets_be16(start));

        if (code > octets_be16(end))
            continue;
        if (code < octets_be16(start))
            return 0;
        if (range == 0)
            return (code + delta) % GLYPHS;
        return at + 2 <= t.n && octets_be16(t.at + at) ? (octets_be16(t.at + at) + delta) % GLYPHS
                                                       : 0;
    }
    return 0;
}

static unsigned by_table(struct table t, unsigned code)
{
    unsigned first;

    switch (t.n >= 10 ? octets_be16(t.at) : UINT16_MAX) {
    case 0:
        return code < CODES && t.n > 6 + (size_t) code ? t.at[6 + code] : 0;
    case 4:
        return by_segments(t, code);
    case 6:
        first = octets_be16(t.at + 6);
        return code >= first && code - first < octets_be16(t.at + 8) &&
                       12 + 2 * (size_t) (code - first) <= t.n
                   ? octets_be16(t.at + 10 + 2 * (size_t) (code - first))
                   : 0;
    default:
        return 0;
    }
}

/* By any of its tables, as readers do for symbolic fonts (ISO 32000-1, 9.6.6.4). */
static unsigned glyph_of(const struct program *p, unsigned code)
{
    unsigned tables = p->cmap.n >= 4 ? octets_be16(p->cmap.at + 2) : 0, glyph = 0;

    for (size_t i = 0; i < tables && i < 16 && 12 + i * 8 <= p->cmap.n && !glyph; i++) {
        size_t from = octets_be32(p->cmap.at + 8 + i * 8);
        struct table t = { p->cmap.at + from, from < p->cmap.n ? p->cmap.n - from : 0 };

        if (t.n > 0)
            glyph = by_table(t, code);
        if (t.n > 0 && !glyph)
            glyph = by_table(t, SYMBOLS + code);
    }
    return glyph;
}

bool font_program_write(const unsigned char *data, size_t n, uint32_t descriptor, struct buf *out)
{
    struct program p;

    if (!open_program(data, n, &p))
        return false;
    if (p.cmap.at) {
        buf_printf(out,
                   "<</Type /Font /Subtype /TrueType /BaseFont /Recovered /FontDescriptor %u 0 R "
                   "/FirstChar 0 /LastChar 255 /Widths [",
                   descriptor);
        for (unsigned code = 0; code < CODES; code++)
            buf_printf(out, "%u ", width_of(&p, glyph_of(&p, code)));
        buf_puts(out, "]>>");
        return true;
    }
    buf_printf(out,
               "<</Type /Font /Subtype /Type0 /BaseFont /Recovered /Encoding /Identity-H "
               "/DescendantFonts [<</Type /Font /Subtype /CIDFontType2 /BaseFont /Recovered "
               "/CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> "
               "/CIDToGIDMap /Identity /FontDescriptor %u 0 R /DW %u /W [0 [",
               descriptor, width_of(&p, p.metrics - 1));
    for (unsigned glyph = 0; glyph < p.metrics; glyph++)
        buf_printf(out, "%u ", width_of(&p, glyph));
    buf_puts(out, "]]>>]>>");
    return true;
}
