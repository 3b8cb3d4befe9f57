/* unite: parts of one font become one font, in which all that a part needs is as it was in it. */
#include "font/unite.h"

#include "base/octets.h"
#include "base/scope.h"
#include "font/sfnt.h"
#include "font/subset.h"
#include "tap.h"

#define N_GLYPHS 8

/* A font whose glyph g has the advance 100 + g and, if it is in `glyphs`, an outline of `mark` and
 * g. */
struct maker {
    const char *glyphs; /* their numbers as digits */
    char mark;
    const char *codes; /* letters that are mapped; A to 1, B to 2, ... */
    unsigned padding;  /* zeros after each outline */
    const char *program;
    bool components; /* glyph 7 is made of 1 and 2 */
};

static void put16(struct buf *out, unsigned value)
{
    buf_putc(out, (char) (value >> 8));
    buf_putc(out, (char) value);
}

static void put32(struct buf *out, size_t value)
{
    put16(out, (unsigned) (value >> 16));
    put16(out, (unsigned) value & 0xffff);
}

static void put_zeros(struct buf *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_putc(out, 0);
}

static void put_outline(struct buf *glyf, const struct maker *m, unsigned g)
{
    put16(glyf, m->components && g == 7 ? 0xffff : 1);
    put_zeros(glyf, 8);
    if (m->components && g == 7) {
        for (unsigned part = 1; part <= 2; part++) {
            put16(glyf, part == 1 ? 0x20 : 0);
            put16(glyf, part);
            put16(glyf, 0x0101);
        }
    } else {
        buf_putc(glyf, m->mark);
        buf_putc(glyf, (char) ('0' + g));
    }
    put_zeros(glyf, m->padding);
}

static void put_glyphs(const struct maker *m, struct buf *glyf, struct buf *loca, struct buf *hmtx)
{
    for (unsigned g = 0; g < N_GLYPHS; g++) {
        put32(loca, glyf->len);
        if (strchr(m->glyphs, (int) ('0' + g)))
            put_outline(glyf, m, g);
        put16(hmtx, 100 + g);
        put16(hmtx, 0);
    }
    put32(loca, glyf->len);
}

static void put_cmap(const struct maker *m, struct buf *cmap)
{
    uint16_t glyphs[UNITE_CODES] = { 0 };
    static const uint8_t row[4] = { 0, 3, 0, 1 };
    struct sfnt_map map = { row, glyphs };

    for (const char *c = m->codes; *c; c++)
        glyphs[(unsigned char) *c] = (uint16_t) (*c - 'A' + 1);
    sfnt_cmap_write(&map, 1, cmap);
}

static void make(const struct maker *m, struct buf *out)
{
    enum { CMAP, FPGM, GLYF, HEAD, HHEA, HMTX, LOCA, MAXP, TABLES };
    static const char *const tags[TABLES] = { "cmap", "fpgm", "glyf", "head",
                                              "hhea", "hmtx", "loca", "maxp" };
    struct buf tables[TABLES] = { 0 };
    size_t at = 12 + 16 * TABLES;

    put_cmap(m, &tables[CMAP]);
    buf_puts(&tables[FPGM], m->program ? m->program : "program");
    put_glyphs(m, &tables[GLYF], &tables[LOCA], &tables[HMTX]);
    put_zeros(&tables[HEAD], 18);
    put16(&tables[HEAD], 1000);
    put_zeros(&tables[HEAD], 30);
    put32(&tables[HEAD], 0x10000);
    put_zeros(&tables[HHEA], 34);
    put16(&tables[HHEA], N_GLYPHS);
    put32(&tables[MAXP], 0x10000);
    put16(&tables[MAXP], N_GLYPHS);
    put_zeros(&tables[MAXP], 26);
    put32(out, 0x10000);
    put16(out, TABLES);
    put_zeros(out, 6);
    for (size_t i = 0; i < TABLES; i++) {
        buf_puts(out, tags[i]);
        put32(out, 0);
        put32(out, at);
        put32(out, tables[i].len);
        at += tables[i].len;
    }
    for (size_t i = 0; i < TABLES; i++) {
        buf_put(out, tables[i].data, tables[i].len);
        buf_free(&tables[i]);
    }
}

/* A part of which the glyphs of `needed` (digits) and the codes of `shown` (letters; NULL: no map)
 * are needed. */
struct made {
    struct buf font;
    uint64_t keep[SUBSET_GLYPHS / 64], codes[UNITE_CODES / 64];
    struct unite_part part;
};

static void make_part(struct made *made, const struct maker *m, const char *needed,
                      const char *shown)
{
    buf_free(&made->font);
    *made = (struct made){ 0 };
    make(m, &made->font);
    for (; *needed; needed++)
        made->keep[0] |= (uint64_t) 1 << (*needed - '0');
    for (const char *c = shown; c && *c; c++)
        made->codes[*c / 64] |= (uint64_t) 1 << *c % 64;
    made->part = (struct unite_part){ .data = made->font.data,
                                      .n = made->font.len,
                                      .keep = made->keep,
                                      .codes = shown ? made->codes : NULL };
}

/* The glyphs of a font that have the outline with this mark. */
static void outlines(const struct buf *file, char mark, char out[static N_GLYPHS + 1])
{
    struct sfnt font;
    struct sfnt_table glyf, loca;
    char *end = out;

    if (sfnt_open(&font, file->data, file->len)) {
        glyf = sfnt_table(&font, "glyf");
        loca = sfnt_table(&font, "loca");
        for (unsigned g = 0; g < N_GLYPHS && 4 * (size_t) g + 8 <= loca.n; g++) {
            size_t at = octets_be32(loca.data + 4 * (size_t) g);

            if (octets_be32(loca.data + 4 * (size_t) g + 4) >= at + 12 && at + 12 <= glyf.n &&
                glyf.data[at + 10] == (uint8_t) mark && glyf.data[at + 11] == '0' + g)
                *end++ = (char) ('0' + g);
        }
    }
    *end = '\0';
}

static void note_code(void *arg, unsigned code, unsigned glyph)
{
    char *codes = arg;

    if (code >= 'A' && code <= 'H' && glyph == code - 'A' + 1)
        codes[strlen(codes)] = (char) code;
}

static void test_union(void)
{
    struct made a = { 0 }, b = { 0 };
    AUTO_UNITE struct unite *u = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    char seen[N_GLYPHS + 1], codes[N_GLYPHS + 1] = "";
    struct sfnt font;

    make_part(&a, &(struct maker){ .glyphs = "0123", .mark = 'x', .codes = "ABC" }, "12", "AB");
    make_part(&b, &(struct maker){ .glyphs = "0256", .mark = 'x', .codes = "BEF", .padding = 2 },
              "25", "BE");
    u = unite_open(&a.part);
    ok(u && unite_add(u, &b.part), "two subsets of one font fit together, whatever their padding");
    ok(u && unite_write(u, &out), "two subsets are written as one font");
    outlines(&out, 'x', seen);
    is_str(seen, "0125", "the one font has the glyphs that either of them needs");
    if (sfnt_open(&font, out.data, out.len)) {
        struct sfnt_table hmtx = sfnt_table(&font, "hmtx"), fpgm = sfnt_table(&font, "fpgm");

        sfnt_cmap_each(sfnt_table(&font, "cmap"), note_code, codes);
        ok(hmtx.n >= 24 && octets_be16(hmtx.data + 4) == 101 && octets_be16(hmtx.data + 20) == 105,
           "the glyphs of the one font have their widths");
        ok(fpgm.n == 7 && memcmp(fpgm.data, "program", 7) == 0,
           "the one font has the instructions of both");
    }
    is_str(codes, "ABE", "the one font has the codes that are looked up");
    buf_free(&a.font);
    buf_free(&b.font);
}

/* Whether `other`, with these needs, fits to a font of the glyphs 0 to 3 that needs 1 and 2. */
static bool fits(const struct maker *other, const char *needed, const char *shown)
{
    struct made a = { 0 }, b = { 0 };
    AUTO_UNITE struct unite *u = NULL;
    bool fit;

    make_part(&a, &(struct maker){ .glyphs = "0123", .mark = 'x', .codes = "ABC" }, "12", "AB");
    make_part(&b, other, needed, shown);
    u = unite_open(&a.part);
    fit = u && unite_add(u, &b.part);
    buf_free(&a.font);
    buf_free(&b.font);
    return fit;
}

static void test_differences(void)
{
    struct maker like = { .glyphs = "012345", .mark = 'x', .codes = "ABCDE" }, other = like;

    ok(fits(&like, "345", "CDE"), "a part that agrees fits");
    other.mark = 'y';
    ok(!fits(&other, "345", "CDE"), "a part with another glyph 0 does not fit");
    other = like;
    other.glyphs = "02345";
    ok(fits(&other, "345", "CDE"), "a glyph may be missing where it is not needed");
    ok(!fits(&other, "1345", "CDE"), "a glyph may not be missing where it is needed");
    other = like;
    other.codes = "BCDE";
    ok(fits(&other, "345", "CDE"), "a code may be missing where it is not looked up");
    ok(!fits(&other, "345", "ACDE"), "a code may not be missing where it is looked up");
    ok(fits(&other, "345", NULL), "a code may be missing where no code is looked up");
    other = like;
    other.program = "another";
    ok(!fits(&other, "345", "CDE"), "a part with other instructions does not fit");
}

static void test_components(void)
{
    struct made a = { 0 };
    AUTO_UNITE struct unite *u = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    char seen[N_GLYPHS + 1];

    make_part(&a,
              &(struct maker){ .glyphs = "01237", .mark = 'x', .codes = "G", .components = true },
              "7", "G");
    u = unite_open(&a.part);
    ok(u && unite_write(u, &out), "a font with a composite glyph is written");
    outlines(&out, 'x', seen);
    is_str(seen, "012", "a composite glyph needs its components");
    buf_free(&a.font);
}

/* Each cut, and each byte changed, is read without fault, within the bytes (address sanitizer). */
static void test_damage(void)
{
    struct made a = { 0 }, b = { 0 };
    AUTO_UNITE struct unite *u = NULL;
    size_t n;

    make_part(&a,
              &(struct maker){ .glyphs = "01237", .mark = 'x', .codes = "ABG", .components = true },
              "7", "AG");
    make_part(&b, &(struct maker){ .glyphs = "0123", .mark = 'x', .codes = "AB" }, "12", "A");
    u = unite_open(&b.part);
    n = a.part.n;
    for (size_t cut = 0; u && cut < n; cut++) {
        AUTO_FREE char *copy = malloc(cut + 1);

        if (!copy)
            break;
        memcpy(copy, a.font.data, cut);
        a.part.data = copy;
        a.part.n = cut;
        unite_add(u, &a.part);
    }
    for (size_t i = 0; u && i < n; i++) {
        AUTO_FREE char *copy = malloc(n);

        if (!copy)
            break;
        memcpy(copy, a.font.data, n);
        copy[i] = (char) ~copy[i];
        a.part.data = copy;
        a.part.n = n;
        unite_add(u, &a.part);
    }
    a.part.data = a.font.data;
    a.part.n = 100;
    ok(u && !unite_add(u, &a.part), "a font that is cut does not fit");
    buf_free(&a.font);
    buf_free(&b.font);
}

int main(void)
{
    test_union();
    test_differences();
    test_components();
    test_damage();
    return done_testing();
}
