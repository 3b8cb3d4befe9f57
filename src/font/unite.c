#include "font/unite.h"

#include <hb.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/octets.h"
#include "base/scope.h"
#include "font/harfbuzz_scope.h"
#include "font/sfnt.h"
#include "font/subset.h"

#define MOST_OUTLINES (8UL << 20) /* bytes of all glyphs of a font */
#define MOST_MAPS     8           /* character maps of a font */
#define MOST_PADDING  3           /* zeros after an outline */

/* Sizes and offsets in tables of fixed form. */
#define HEAD_SIZE     54
#define HEAD_FLAGS    16 /* and unitsPerEm after them: 4 bytes */
#define HEAD_BOX      36
#define HEAD_FORMAT   50
#define HHEA_SIZE     36
#define HHEA_ADVANCE  10
#define HHEA_METRICS  34
#define MAXP_SIZE     32
#define MAXP_GLYPHS   4
#define MAXP_LIMITS   6
#define POST_SIZE     32
#define POST_NO_NAMES 0x30000

enum { CVT, FPGM, PREP, GASP, POST, HEAD, HHEA, MAXP, TABLES };
static const char *const tags[TABLES] = { "cvt ", "fpgm", "prep", "gasp",
                                          "post", "head", "hhea", "maxp" };

/* A part as it is read. */
struct part {
    const struct unite_part *given;
    struct sfnt_table tables[TABLES], glyf, loca, hmtx, cmap;
    unsigned n_glyphs, n_metrics;
    bool long_offsets;
    uint64_t keep[SUBSET_GLYPHS / 64]; /* with what composite glyphs are made of */
    uint16_t found[SUBSET_GLYPHS];     /* the glyphs of which the components are to be found */
    size_t n_found;
    unsigned n_maps;
    uint16_t maps[MOST_MAPS][UNITE_CODES]; /* the glyph of each code */
};

struct outline {
    const uint8_t *data;
    size_t n;
    unsigned advance, bearing;
};

struct glyph {
    uint32_t at, n; /* in `outlines` */
    uint16_t advance, bearing;
};

struct unite {
    struct buf tables[TABLES];
    struct buf outlines;
    uint64_t known[SUBSET_GLYPHS / 64]; /* the glyphs that a part needs: the others are not kept */
    struct glyph glyphs[SUBSET_GLYPHS];
    bool names, mapped;
    unsigned n_maps;
    uint8_t rows[MOST_MAPS][4];             /* platform and encoding of each map */
    uint64_t known_codes[UNITE_CODES / 64]; /* the codes that a part looks up */
    uint16_t maps[MOST_MAPS][UNITE_CODES];
};

static bool outline_of(const struct part *p, unsigned glyph, struct outline *out)
{
    size_t size = p->long_offsets ? 4 : 2, at = size * glyph, metric, start, end;

    *out = (struct outline){ 0 };
    if (glyph >= p->n_glyphs)
        return true;
    if (at + 2 * size > p->loca.n)
        return false;
    start = p->long_offsets ? octets_be32(p->loca.data + at)
                            : 2 * (size_t) octets_be16(p->loca.data + at);
    end = p->long_offsets ? octets_be32(p->loca.data + at + 4)
                          : 2 * (size_t) octets_be16(p->loca.data + at + 2);
    if (start > end || end > p->glyf.n || (end > start && end - start < 10))
        return false;
    *out = (struct outline){ p->glyf.data + start, end - start, 0, 0 };
    metric = glyph < p->n_metrics ? glyph : p->n_metrics - 1;
    if (4 * metric + 4 > p->hmtx.n)
        return true;
    out->advance = octets_be16(p->hmtx.data + 4 * metric);
    at = glyph < p->n_metrics ? 4 * metric + 2
                              : 4 * (size_t) p->n_metrics + 2 * (size_t) (glyph - p->n_metrics);
    if (at + 2 <= p->hmtx.n)
        out->bearing = octets_be16(p->hmtx.data + at);
    return true;
}

static void keep_glyph(struct part *p, unsigned glyph)
{
    if (bits_has(p->keep, glyph))
        return;
    bits_add(p->keep, glyph);
    p->found[p->n_found++] = (uint16_t) glyph;
}

/* The glyphs that a composite one is made of (5.3.3.3). */
static bool find_components(struct part *p, const struct outline *outline)
{
    unsigned flags = 0x20;
    size_t at = 10;

    if (outline->n == 0 || !(outline->data[0] & 0x80))
        return true;
    while (flags & 0x20) {
        if (at + 4 > outline->n)
            return false;
        flags = octets_be16(outline->data + at);
        keep_glyph(p, octets_be16(outline->data + at + 2));
        at += flags & 1 ? 8 : 6;
        if (flags & 8)
            at += 2;
        else if (flags & 0x40)
            at += 4;
        else if (flags & 0x80)
            at += 8;
    }
    return at <= outline->n;
}

static bool find_glyphs(struct part *p)
{
    keep_glyph(p, 0);
    for (unsigned g = 0; g < SUBSET_GLYPHS; g++)
        if (bits_has(p->given->keep, g))
            keep_glyph(p, g);
    for (size_t i = 0; i < p->n_found; i++) {
        struct outline outline;

        if (!outline_of(p, p->found[i], &outline) || !find_components(p, &outline))
            return false;
    }
    return true;
}

static void map_one(void *arg, unsigned code, unsigned glyph)
{
    uint16_t *glyphs = arg;

    if (glyphs[code] == 0)
        glyphs[code] = (uint16_t) glyph;
}

static bool read_maps(struct part *p)
{
    if (!p->given->codes)
        return true;
    p->n_maps = sfnt_cmap_count(p->cmap);
    if (p->n_maps > MOST_MAPS || (p->cmap.data && p->n_maps == 0))
        return false;
    for (unsigned i = 0; i < p->n_maps; i++)
        sfnt_cmap_map(p->cmap, i, map_one, p->maps[i]);
    return true;
}

static bool read_part(struct part *p, const struct unite_part *given)
{
    struct sfnt font;

    p->given = given;
    if (!sfnt_open(&font, given->data, given->n) ||
        (octets_be32(font.data) != 0x10000 && memcmp(font.data, "true", 4) != 0))
        return false;
    for (size_t i = 0; i < TABLES; i++)
        p->tables[i] = sfnt_table(&font, tags[i]);
    p->glyf = sfnt_table(&font, "glyf");
    p->loca = sfnt_table(&font, "loca");
    p->hmtx = sfnt_table(&font, "hmtx");
    p->cmap = sfnt_table(&font, "cmap");
    if (!p->glyf.data || !p->loca.data || !p->hmtx.data || p->tables[HEAD].n < HEAD_SIZE ||
        p->tables[HHEA].n < HHEA_SIZE || p->tables[MAXP].n < MAXP_SIZE ||
        octets_be32(p->tables[MAXP].data) != 0x10000)
        return false;
    p->n_glyphs = octets_be16(p->tables[MAXP].data + MAXP_GLYPHS);
    p->n_metrics = octets_be16(p->tables[HHEA].data + HHEA_METRICS);
    p->long_offsets = octets_be16(p->tables[HEAD].data + HEAD_FORMAT) != 0;
    return p->n_metrics > 0 && find_glyphs(p) && read_maps(p);
}

/* The same bytes, but for padding. */
static bool is_same_table(const uint8_t *a, size_t n_a, const uint8_t *b, size_t n_b)
{
    static const uint8_t zeros[MOST_PADDING] = { 0 };
    const uint8_t *more = n_a > n_b ? a : b;
    size_t shared = n_a < n_b ? n_a : n_b, rest = (n_a > n_b ? n_a : n_b) - shared;

    if (shared == 0 || rest > MOST_PADDING)
        return n_a == n_b;
    return memcmp(a, b, shared) == 0 && memcmp(more + shared, zeros, rest) == 0;
}

static bool fits_tables(const struct unite *u, const struct part *p)
{
    for (int i = CVT; i <= GASP; i++)
        if (u->tables[i].len != p->tables[i].n ||
            (p->tables[i].n && memcmp(u->tables[i].data, p->tables[i].data, p->tables[i].n) != 0))
            return false;
    return memcmp(u->tables[HEAD].data + HEAD_FLAGS, p->tables[HEAD].data + HEAD_FLAGS, 4) == 0;
}

/* Lists of names are not united, but both may have none, or the same. */
static bool fits_names(const struct unite *u, const struct part *p)
{
    const struct buf *ours = &u->tables[POST];
    struct sfnt_table theirs = p->tables[POST];

    if (!u->names && !p->given->names)
        return true;
    if (ours->len >= POST_SIZE && theirs.n >= POST_SIZE &&
        octets_be32(ours->data) == POST_NO_NAMES && octets_be32(theirs.data) == POST_NO_NAMES)
        return true;
    return ours->len == theirs.n &&
           (theirs.n == 0 || memcmp(ours->data, theirs.data, theirs.n) == 0);
}

static bool fits_glyphs(const struct unite *u, const struct part *p)
{
    for (size_t i = 0; i < p->n_found; i++) {
        const struct glyph *ours = &u->glyphs[p->found[i]];
        struct outline theirs;

        if (!bits_has(u->known, p->found[i]))
            continue;
        if (!outline_of(p, p->found[i], &theirs) || ours->advance != theirs.advance ||
            ours->bearing != theirs.bearing ||
            !is_same_table((const uint8_t *) buf_text(&u->outlines) + ours->at, ours->n,
                           theirs.data, theirs.n))
            return false;
    }
    return true;
}

static bool fits_maps(const struct unite *u, const struct part *p)
{
    if (!p->given->codes || !u->mapped)
        return true;
    if (p->n_maps != u->n_maps)
        return false;
    for (unsigned i = 0; i < u->n_maps; i++) {
        if (memcmp(u->rows[i], p->cmap.data + 4 + 8 * (size_t) i, 4) != 0)
            return false;
        for (unsigned c = 0; c < UNITE_CODES; c++)
            if (bits_has(p->given->codes, c) && bits_has(u->known_codes, c) &&
                u->maps[i][c] != p->maps[i][c])
                return false;
    }
    return true;
}

static void set16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t) (value >> 8);
    at[1] = (uint8_t) value;
}

/* `least`: the smaller of two signed numbers. */
static void extend(uint8_t *ours, const uint8_t *theirs, bool least)
{
    int16_t a = (int16_t) octets_be16(ours), b = (int16_t) octets_be16(theirs);

    if (least ? b < a : b > a)
        memcpy(ours, theirs, 2);
}

static void extend_limit(uint8_t *ours, const uint8_t *theirs)
{
    if (octets_be16(theirs) > octets_be16(ours))
        memcpy(ours, theirs, 2);
}

static void add_limits(struct unite *u, const struct part *p)
{
    uint8_t *head = (uint8_t *) u->tables[HEAD].data, *hhea = (uint8_t *) u->tables[HHEA].data,
            *maxp = (uint8_t *) u->tables[MAXP].data;

    for (size_t i = 0; i < 8; i += 2)
        extend(head + HEAD_BOX + i, p->tables[HEAD].data + HEAD_BOX + i, i < 4);
    extend_limit(hhea + HHEA_ADVANCE, p->tables[HHEA].data + HHEA_ADVANCE);
    for (size_t i = MAXP_LIMITS; i < MAXP_SIZE; i += 2)
        extend_limit(maxp + i, p->tables[MAXP].data + i);
}

static void add_maps(struct unite *u, const struct part *p)
{
    if (!p->given->codes)
        return;
    u->n_maps = p->n_maps;
    u->mapped = true;
    for (unsigned i = 0; i < p->n_maps; i++)
        memcpy(u->rows[i], p->cmap.data + 4 + 8 * (size_t) i, 4);
    for (unsigned c = 0; c < UNITE_CODES; c++) {
        if (!bits_has(p->given->codes, c))
            continue;
        bits_add(u->known_codes, c);
        for (unsigned i = 0; i < p->n_maps; i++)
            u->maps[i][c] = p->maps[i][c];
    }
}

/* The size is checked before anything is taken. */
static bool add_glyphs(struct unite *u, const struct part *p)
{
    size_t start = u->outlines.len;

    for (size_t i = 0; i < p->n_found; i++) {
        struct outline outline;

        if (bits_has(u->known, p->found[i]))
            continue;
        if (!outline_of(p, p->found[i], &outline) || u->outlines.len + outline.n > MOST_OUTLINES) {
            u->outlines.len = start;
            return false;
        }
        u->glyphs[p->found[i]] =
            (struct glyph){ (uint32_t) u->outlines.len, (uint32_t) outline.n,
                            (uint16_t) outline.advance, (uint16_t) outline.bearing };
        buf_put(&u->outlines, outline.data, outline.n);
    }
    for (size_t i = 0; i < p->n_found; i++)
        bits_add(u->known, p->found[i]);
    return true;
}

static bool merge_part(struct unite *u, const struct part *p)
{
    if (!add_glyphs(u, p) || u->outlines.failed)
        return false;
    add_limits(u, p);
    add_maps(u, p);
    u->names |= p->given->names;
    return true;
}

bool unite_add(struct unite *u, const struct unite_part *given)
{
    AUTO_FREE struct part *p = calloc(1, sizeof *p);

    return p && !u->outlines.failed && read_part(p, given) && fits_tables(u, p) &&
           fits_names(u, p) && fits_glyphs(u, p) && fits_maps(u, p) && merge_part(u, p);
}

static bool start_unite(struct unite *u, const struct unite_part *given)
{
    AUTO_FREE struct part *p = calloc(1, sizeof *p);
    bool failed = false;

    if (!p || !read_part(p, given))
        return false;
    for (size_t i = 0; i < TABLES; i++) {
        buf_put(&u->tables[i], p->tables[i].data, p->tables[i].n);
        failed |= u->tables[i].failed;
    }
    return !failed && merge_part(u, p);
}

struct unite *unite_open(const struct unite_part *part)
{
    struct unite *u = calloc(1, sizeof *u);

    if (u && !start_unite(u, part))
        unite_close(&u);
    return u;
}

void unite_close(struct unite **unite)
{
    struct unite *u = *unite;

    for (size_t i = 0; u && i < TABLES; i++)
        buf_free(&u->tables[i]);
    if (u)
        buf_free(&u->outlines);
    free(u);
    *unite = NULL;
}

static unsigned count_glyphs(const struct unite *u)
{
    unsigned n = SUBSET_GLYPHS - 1; /* as many as `maxp` can say */

    while (n > 1 && !bits_has(u->known, n - 1))
        n--;
    return n;
}

static void put_glyphs(const struct unite *u, unsigned n, struct buf *glyf, struct buf *loca,
                       struct buf *hmtx)
{
    for (unsigned g = 0; g < n; g++) {
        const struct glyph *glyph = &u->glyphs[g];

        buf_put_be32(loca, glyf->len);
        buf_put(glyf, buf_text(&u->outlines) + glyph->at, glyph->n);
        while (glyf->len % 4)
            buf_putc(glyf, 0);
        buf_put_be16(hmtx, glyph->advance);
        buf_put_be16(hmtx, glyph->bearing);
    }
    buf_put_be32(loca, glyf->len);
}

static bool put_maps(const struct unite *u, struct buf *out)
{
    struct sfnt_map maps[MOST_MAPS];

    for (unsigned i = 0; i < u->n_maps; i++)
        maps[i] = (struct sfnt_map){ u->rows[i], u->maps[i] };
    return u->n_maps == 0 || sfnt_cmap_write(maps, u->n_maps, out);
}

static void add_table(hb_face_t *builder, const char *tag, const struct buf *table)
{
    AUTO_BLOB hb_blob_t *blob = hb_blob_create(buf_text(table), (unsigned) table->len,
                                               HB_MEMORY_MODE_DUPLICATE, NULL, NULL);

    if (table->len > 0)
        hb_face_builder_add_table(builder, HB_TAG(tag[0], tag[1], tag[2], tag[3]), blob);
}

static void add_numbered(hb_face_t *builder, const char *tag, const struct buf *table, size_t at,
                         unsigned number)
{
    AUTO_BUF struct buf copy = BUF_EMPTY;

    buf_put(&copy, buf_text(table), table->len);
    if (!copy.failed) {
        set16((uint8_t *) copy.data + at, number);
        add_table(builder, tag, &copy);
    }
}

bool unite_write(const struct unite *u, struct buf *out)
{
    AUTO_BUF struct buf glyf = BUF_EMPTY, loca = BUF_EMPTY, hmtx = BUF_EMPTY, cmap = BUF_EMPTY;
    AUTO_FACE hb_face_t *builder = hb_face_builder_create();
    AUTO_BLOB hb_blob_t *whole = NULL;
    unsigned n = count_glyphs(u), length = 0;
    const char *data;

    put_glyphs(u, n, &glyf, &loca, &hmtx);
    if (!put_maps(u, &cmap) || glyf.failed || loca.failed || hmtx.failed)
        return false;
    for (size_t i = 0; i < HEAD; i++)
        if (i != POST || u->names)
            add_table(builder, tags[i], &u->tables[i]);
    add_numbered(builder, "head", &u->tables[HEAD], HEAD_FORMAT, 1);
    add_numbered(builder, "hhea", &u->tables[HHEA], HHEA_METRICS, n);
    add_numbered(builder, "maxp", &u->tables[MAXP], MAXP_GLYPHS, n);
    add_table(builder, "glyf", &glyf);
    add_table(builder, "loca", &loca);
    add_table(builder, "hmtx", &hmtx);
    add_table(builder, "cmap", &cmap);
    whole = hb_face_reference_blob(builder);
    data = hb_blob_get_data(whole, &length);
    buf_put(out, data, length);
    return length > 0 && !out->failed;
}
