#include "pdf/text_layer/glyphless.h"

#include <string.h>

#include "base/scope.h"
#include "base/utf8.h"
#include "pdf/document/doc.h"

#define UNITS 1000 /* of the font program in an em */
#define BLOCK 100  /* limit of the entries of a bfchar block (Adobe Technical Note 5411) */

static void put_utf16(struct buf *out, const char *text, size_t n)
{
    size_t at = 0;

    while (at < n) {
        uint32_t c = utf8_next(text, n, &at);

        if (c >= 0x10000)
            buf_printf(out, "%04X%04X", 0xd800 + ((c - 0x10000) >> 10), 0xdc00 + (c & 0x3ff));
        else
            buf_printf(out, "%04X", c);
    }
}

static void end_block(struct glyphless *font)
{
    if (font->open == 0)
        return;
    buf_printf(&font->map, "%u beginbfchar\n", font->open);
    buf_put(&font->map, font->block.data, font->block.len);
    buf_puts(&font->map, "endbfchar\n");
    font->block.len = 0;
    font->open = 0;
}

unsigned glyphless_code(struct glyphless *font, const char *text, size_t n)
{
    int64_t known;

    if (key_map_find(&font->codes, text, n, &known))
        return (unsigned) known;
    if (font->n == GLYPHLESS_CODES)
        return 0;
    key_map_put(&font->codes, text, n, ++font->n);
    buf_printf(&font->block, "<%04X><", font->n);
    put_utf16(&font->block, text, n);
    buf_puts(&font->block, ">\n");
    if (++font->open == BLOCK)
        end_block(font);
    return font->n;
}

/* The tables of a TrueType font (ISO/IEC 14496-22) that PDF asks of an embedded one (ISO 32000-2,
 * 9.9.1), with two glyphs without outlines, in the order of their tags. */
static void put_head(struct buf *out)
{
    buf_put_be32(out, 0x00010000); /* version */
    buf_put_be32(out, 0x00010000); /* revision */
    buf_put_be32(out, 0);          /* adjustment of the checksum: not used in PDF */
    buf_put_be32(out, 0x5f0f3cf5);
    buf_put_be16(out, 3); /* baseline and left edge at 0 */
    buf_put_be16(out, UNITS);
    for (int i = 0; i < 4; i++) /* made and changed: never */
        buf_put_be32(out, 0);
    for (int i = 0; i < 4; i++) /* box of all glyphs */
        buf_put_be16(out, 0);
    buf_put_be16(out, 0); /* style */
    buf_put_be16(out, 3); /* least readable size */
    buf_put_be16(out, 2); /* direction */
    buf_put_be16(out, 0); /* short offsets in loca */
    buf_put_be16(out, 0);
}

static void put_hhea(struct buf *out)
{
    buf_put_be32(out, 0x00010000);
    buf_put_be16(out, GLYPHLESS_ASCENT);
    buf_put_be16(out, (size_t) -GLYPHLESS_DESCENT);
    buf_put_be16(out, 0);
    buf_put_be16(out, GLYPHLESS_WIDTH);
    for (int i = 0; i < 3; i++) /* bearings and extent */
        buf_put_be16(out, 0);
    buf_put_be16(out, 1); /* the caret is upright */
    for (int i = 0; i < 7; i++)
        buf_put_be16(out, 0);
    buf_put_be16(out, 1); /* metrics in hmtx */
}

static void put_maxp(struct buf *out)
{
    buf_put_be32(out, 0x00010000);
    buf_put_be16(out, 2); /* glyphs */
    for (int i = 0; i < 4; i++)
        buf_put_be16(out, 0);
    buf_put_be16(out, 1); /* zones */
    for (int i = 0; i < 8; i++)
        buf_put_be16(out, 0);
}

static void put_hmtx(struct buf *out)
{
    buf_put_be16(out, GLYPHLESS_WIDTH);
    buf_put_be16(out, 0);
    buf_put_be16(out, 0); /* bearing of the second glyph */
}

static void put_loca(struct buf *out)
{
    for (int i = 0; i < 3; i++)
        buf_put_be16(out, 0);
}

static void put_glyf(struct buf *out)
{
    buf_put_be32(out, 0); /* some readers want a table that is not empty */
}

static size_t checksum(const struct buf *table)
{
    size_t sum = 0;

    for (size_t i = 0; i < table->len; i++)
        sum += (size_t) (unsigned char) table->data[i] << (8 * (3 - i % 4));
    return sum;
}

static void put_program(struct buf *out)
{
    static const struct {
        const char *tag;
        void (*put)(struct buf *out);
    } tables[] = { { "glyf", put_glyf }, { "head", put_head }, { "hhea", put_hhea },
                   { "hmtx", put_hmtx }, { "loca", put_loca }, { "maxp", put_maxp } };
    AUTO_BUF struct buf bodies = BUF_EMPTY;
    size_t offset = 12 + 16 * COUNT(tables);

    buf_put_be32(out, 0x00010000);
    buf_put_be16(out, COUNT(tables));
    buf_put_be16(out, 64); /* for a binary search: 16 times the power of two below, */
    buf_put_be16(out, 2);  /* its logarithm, */
    buf_put_be16(out, 16 * COUNT(tables) - 64);
    for (size_t i = 0; i < COUNT(tables); i++) {
        AUTO_BUF struct buf table = BUF_EMPTY;

        tables[i].put(&table);
        buf_puts(out, tables[i].tag);
        buf_put_be32(out, checksum(&table));
        buf_put_be32(out, offset + bodies.len);
        buf_put_be32(out, table.len);
        buf_put(&bodies, table.data, table.len);
        while (bodies.len % 4)
            buf_putc(&bodies, '\0');
        out->failed = out->failed || table.failed;
    }
    buf_put(out, bodies.data, bodies.len);
    out->failed = out->failed || bodies.failed;
}

static void put_map(struct glyphless *glyphless, struct buf *out)
{
    end_block(glyphless);
    buf_puts(out, "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
                  "/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def\n"
                  "/CMapName/Adobe-Identity-UCS def\n/CMapType 2 def\n"
                  "1 begincodespacerange\n<0000><FFFF>\nendcodespacerange\n");
    buf_put(out, glyphless->map.data, glyphless->map.len);
    buf_puts(out, "endcmap\nCMapName currentdict/CMap defineresource pop\nend\nend\n");
    out->failed = out->failed || glyphless->map.failed || glyphless->block.failed;
}

/* All codes have the second, blank glyph. */
static void put_glyphs(const struct glyphless *glyphless, struct buf *out)
{
    for (unsigned i = 0; i <= glyphless->n; i++)
        buf_put_be16(out, i > 0);
}

int glyphless_write(struct glyphless *glyphless, struct obj font, const char *name, struct err *err)
{
    static const char descriptor[] =
        "<</Type/FontDescriptor/Flags 4/FontBBox[0 -220 500 780]"
        "/ItalicAngle 0/Ascent 780/Descent -220/CapHeight 690/StemV 80>>";
    static const char descendant[] =
        "<</Type/Font/Subtype/CIDFontType2/DW 500"
        "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>";
    AUTO_BUF struct buf program = BUF_EMPTY;
    AUTO_BUF struct buf map = BUF_EMPTY;
    AUTO_BUF struct buf glyphs = BUF_EMPTY;

    put_program(&program);
    put_map(glyphless, &map);
    put_glyphs(glyphless, &glyphs);
    if (program.failed || map.failed || glyphs.failed || glyphless->codes.failed)
        return pdf_doc_no_memory(err);
    AUTO_OBJ struct obj file = obj_new_stream(font.q, buf_text(&program), program.len);
    AUTO_OBJ struct obj unicode = obj_new_stream(font.q, buf_text(&map), map.len);
    AUTO_OBJ struct obj gids = obj_new_stream(font.q, buf_text(&glyphs), glyphs.len);
    AUTO_OBJ struct obj described = obj_parse(font.q, descriptor);
    AUTO_OBJ struct obj inner = obj_parse(font.q, descendant);
    AUTO_OBJ struct obj inners = obj_new_array(font.q);
    obj_set_int(file, "/Length1", (long long) program.len);
    obj_set(described, "/FontFile2", file);
    obj_set_name(described, "/FontName", name);
    obj_set_name(inner, "/BaseFont", name);
    AUTO_OBJ struct obj about = obj_indirect(described);
    obj_set(inner, "/FontDescriptor", about);
    obj_set(inner, "/CIDToGIDMap", gids);
    AUTO_OBJ struct obj indirect = obj_indirect(inner);
    obj_append(inners, indirect);
    obj_set_name(font, "/Type", "/Font");
    obj_set_name(font, "/Subtype", "/Type0");
    obj_set_name(font, "/BaseFont", name);
    obj_set_name(font, "/Encoding", "/Identity-H");
    obj_set(font, "/DescendantFonts", inners);
    obj_set(font, "/ToUnicode", unicode);
    return 0;
}

/* The font program and the widths are ours. */
static bool is_own_program(struct obj inner)
{
    AUTO_OBJ struct obj about = obj_key(inner, "/FontDescriptor");
    AUTO_OBJ struct obj file = obj_key(about, "/FontFile2");
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf program = BUF_EMPTY;
    long long width;
    size_t n;

    put_program(&program);
    return obj_key_is(inner, "/Subtype", "/CIDFontType2") && !obj_has(inner, "/W") &&
           obj_key_int(inner, "/DW", &width) && width == GLYPHLESS_WIDTH && obj_is_stream(file) &&
           obj_stream_data(file, &data, &n) && !program.failed && n == program.len &&
           memcmp(data, program.data, n) == 0;
}

unsigned glyphless_is_own(struct obj font)
{
    AUTO_OBJ struct obj inners = obj_key(font, "/DescendantFonts");
    AUTO_OBJ struct obj inner = obj_item(inners, 0);
    AUTO_OBJ struct obj gids = obj_key(inner, "/CIDToGIDMap");
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!obj_key_is(font, "/Subtype", "/Type0") || !obj_key_is(font, "/Encoding", "/Identity-H") ||
        !is_own_program(inner) || !obj_is_stream(gids) || !obj_stream_data(gids, &data, &n) ||
        n < 4 || n > 2 * (size_t) GLYPHLESS_CODES + 2)
        return 0;
    for (size_t i = 2; i + 1 < n; i += 2)
        if (data[i] != 0 || data[i + 1] != 1)
            return 0;
    return (unsigned) (n / 2 - 1);
}

void glyphless_free(struct glyphless *font)
{
    key_map_free(&font->codes);
    buf_free(&font->block);
    buf_free(&font->map);
}
