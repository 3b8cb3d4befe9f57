#include "recovery/salvage/font_program.h"

#include <string.h>

#include "base/octets.h"
#include "font/sfnt.h"

#define CODES    256
#define THOUSAND 1000U   /* units of an em in a PDF */
#define SYMBOLS  0xf000U /* codes of symbolic fonts in tables for Windows begin here */

struct program {
    struct sfnt_table hmtx, cmap;
    unsigned units;   /* of an em */
    unsigned metrics; /* glyphs that have widths of their own */
};

static bool has_table(const struct sfnt *font, const char *tag)
{
    return sfnt_table(font, tag).data != NULL;
}

static bool open_program(const unsigned char *data, size_t n, struct program *p)
{
    struct sfnt font;
    struct sfnt_table head, hhea;

    if (!sfnt_open(&font, data, n) ||
        (octets_be32(data) != 0x00010000 && memcmp(data, "true", 4) != 0))
        return false;
    head = sfnt_table(&font, "head");
    hhea = sfnt_table(&font, "hhea");
    *p = (struct program){ .hmtx = sfnt_table(&font, "hmtx"), .cmap = sfnt_table(&font, "cmap") };
    if (head.n < 54 || hhea.n < 36 || !has_table(&font, "glyf") || !has_table(&font, "loca") ||
        !has_table(&font, "maxp"))
        return false;
    p->units = octets_be16(head.data + 18);
    p->metrics = octets_be16(hhea.data + 34);
    return p->units > 0 && p->metrics > 0 && p->hmtx.n >= (size_t) p->metrics * 4;
}

/* In thousandths of an em. */
static unsigned glyph_width(const struct program *p, unsigned glyph)
{
    unsigned i = glyph < p->metrics ? glyph : p->metrics - 1;

    return octets_be16(p->hmtx.data + (size_t) i * 4) * THOUSAND / p->units;
}

/* What one of its tables says of codes, and of those of symbolic fonts. */
struct mapped {
    unsigned plain[CODES], symbols[CODES];
};

static void map_one(void *arg, unsigned code, unsigned glyph)
{
    struct mapped *mapped = arg;

    if (code < CODES)
        mapped->plain[code] = glyph;
    else if (code >= SYMBOLS && code < SYMBOLS + CODES)
        mapped->symbols[code - SYMBOLS] = glyph;
}

/* The glyph of each code by the first table that has one, as readers do for symbolic fonts
 * (ISO 32000-1, 9.6.6.4). */
static void find_glyphs(struct sfnt_table cmap, unsigned glyphs[CODES])
{
    for (unsigned i = 0, n = sfnt_cmap_count(cmap); i < n; i++) {
        struct mapped mapped = { 0 };

        sfnt_cmap_map(cmap, i, map_one, &mapped);
        for (unsigned code = 0; code < CODES; code++)
            if (!glyphs[code])
                glyphs[code] = mapped.plain[code] ? mapped.plain[code] : mapped.symbols[code];
    }
}

bool font_program_write(const unsigned char *data, size_t n, uint32_t descriptor, struct buf *out)
{
    unsigned glyphs[CODES] = { 0 };
    struct program p;

    if (!open_program(data, n, &p))
        return false;
    if (p.cmap.data) {
        find_glyphs(p.cmap, glyphs);
        buf_printf(out,
                   "<</Type /Font /Subtype /TrueType /BaseFont /Recovered /FontDescriptor %u 0 R "
                   "/FirstChar 0 /LastChar 255 /Widths [",
                   descriptor);
        for (unsigned code = 0; code < CODES; code++)
            buf_printf(out, "%u ", glyph_width(&p, glyphs[code]));
        buf_puts(out, "]>>");
        return true;
    }
    buf_printf(out,
               "<</Type /Font /Subtype /Type0 /BaseFont /Recovered /Encoding /Identity-H "
               "/DescendantFonts [<</Type /Font /Subtype /CIDFontType2 /BaseFont /Recovered "
               "/CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> "
               "/CIDToGIDMap /Identity /FontDescriptor %u 0 R /DW %u /W [0 [",
               descriptor, glyph_width(&p, p.metrics - 1));
    for (unsigned glyph = 0; glyph < p.metrics; glyph++)
        buf_printf(out, "%u ", glyph_width(&p, glyph));
    buf_puts(out, "]]>>]>>");
    return true;
}
