#include "font/sfnt.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/octets.h"
#include "base/scope.h"

#define MAX_TABLES 64
#define MAX_MAPS   32
#define CODES      65536

bool sfnt_open(struct sfnt *font, const void *data, size_t n)
{
    *font = (struct sfnt){ data, n };
    return n >= 12 && octets_be16(font->data + 4) <= MAX_TABLES &&
           n >= 12 + 16 * (size_t) octets_be16(font->data + 4);
}

struct sfnt_table sfnt_table(const struct sfnt *font, const char *tag)
{
    unsigned count = octets_be16(font->data + 4);

    for (unsigned i = 0; i < count; i++) {
        const uint8_t *row = font->data + 12 + 16 * (size_t) i;
        size_t at = octets_be32(row + 8), n = octets_be32(row + 12);

        if (memcmp(row, tag, 4) == 0 && at <= font->n && n <= font->n - at)
            return (struct sfnt_table){ font->data + at, n };
    }
    return (struct sfnt_table){ 0 };
}

static void map_bytes(struct sfnt_table t, sfnt_mapped *each, void *arg)
{
    for (unsigned c = 0; c < 256 && 6 + c < t.n; c++)
        if (t.data[6 + c])
            each(arg, c, t.data[6 + c]);
}

static void map_segment(struct sfnt_table t, unsigned count, unsigned i, sfnt_mapped *each,
                        void *arg)
{
    const uint8_t *ends = t.data + 14, *starts = ends + 2 * (size_t) count + 2;
    const uint8_t *deltas = starts + 2 * (size_t) count, *offsets = deltas + 2 * (size_t) count;
    unsigned first = octets_be16(starts + 2 * (size_t) i),
             last = octets_be16(ends + 2 * (size_t) i);
    unsigned delta = octets_be16(deltas + 2 * (size_t) i),
             offset = octets_be16(offsets + 2 * (size_t) i);

    for (unsigned c = first; c <= last && c < 0xffff; c++) {
        unsigned glyph = c;
        size_t at =
            (size_t) (offsets - t.data) + 2 * (size_t) i + offset + 2 * (size_t) (c - first);

        if (offset) {
            if (at + 2 > t.n)
                return;
            glyph = octets_be16(t.data + at);
            if (glyph == 0)
                continue;
        }
        glyph = (glyph + delta) & 0xffff;
        if (glyph)
            each(arg, c, glyph);
    }
}

static void map_segments(struct sfnt_table t, sfnt_mapped *each, void *arg)
{
    unsigned count = t.n >= 16 ? octets_be16(t.data + 6) / 2 : 0;

    if (16 + 8 * (size_t) count > t.n)
        return;
    for (unsigned i = 0; i < count; i++)
        map_segment(t, count, i, each, arg);
}

static void map_trimmed(struct sfnt_table t, sfnt_mapped *each, void *arg)
{
    unsigned first = t.n >= 10 ? octets_be16(t.data + 6) : 0,
             count = t.n >= 10 ? octets_be16(t.data + 8) : 0;

    for (unsigned i = 0; i < count && 12 + 2 * (size_t) i <= t.n && first + i < CODES; i++)
        if (octets_be16(t.data + 10 + 2 * (size_t) i))
            each(arg, first + i, octets_be16(t.data + 10 + 2 * (size_t) i));
}

static void map_groups(struct sfnt_table t, sfnt_mapped *each, void *arg)
{
    uint32_t count = t.n >= 16 ? octets_be32(t.data + 12) : 0;

    for (uint32_t i = 0; i < count && 28 + 12 * (size_t) i <= t.n; i++) {
        const uint8_t *row = t.data + 16 + 12 * (size_t) i;
        uint32_t first = octets_be32(row), last = octets_be32(row + 4),
                 glyph = octets_be32(row + 8);

        for (uint32_t c = first; c <= last && c < CODES && glyph < CODES; c++, glyph++)
            if (glyph)
                each(arg, c, glyph);
    }
}

static void map_each(struct sfnt_table t, sfnt_mapped *each, void *arg)
{
    switch (t.n >= 6 ? octets_be16(t.data) : UINT16_MAX) {
    case 0:
        map_bytes(t, each, arg);
        return;
    case 4:
        map_segments(t, each, arg);
        return;
    case 6:
        map_trimmed(t, each, arg);
        return;
    case 12:
        map_groups(t, each, arg);
        return;
    default:
        return;
    }
}

/* Finds the i-th map. A length beyond the table is cut. */
static struct sfnt_table map_at(struct sfnt_table cmap, unsigned i)
{
    size_t at = octets_be32(cmap.data + 4 + 8 * (size_t) i + 4);

    if (at >= cmap.n)
        return (struct sfnt_table){ 0 };
    return (struct sfnt_table){ cmap.data + at, cmap.n - at };
}

unsigned sfnt_cmap_count(struct sfnt_table cmap)
{
    unsigned n = cmap.n >= 4 ? octets_be16(cmap.data + 2) : 0;

    return n > MAX_MAPS || 4 + 8 * (size_t) n > cmap.n ? 0 : n;
}

void sfnt_cmap_map(struct sfnt_table cmap, unsigned i, sfnt_mapped *each, void *arg)
{
    map_each(map_at(cmap, i), each, arg);
}

void sfnt_cmap_each(struct sfnt_table cmap, sfnt_mapped *each, void *arg)
{
    unsigned n = sfnt_cmap_count(cmap);

    for (unsigned i = 0; i < n; i++)
        sfnt_cmap_map(cmap, i, each, arg);
}

struct kept {
    const uint64_t *keep;
    uint16_t *glyphs; /* the glyph of each code */
};

static void keep_one(void *arg, unsigned code, unsigned glyph)
{
    struct kept *kept = arg;

    if (bits_has(kept->keep, glyph) && kept->glyphs[code] == 0)
        kept->glyphs[code] = (uint16_t) glyph;
}

/* Writes format 0, for the Macintosh map, whose readers may not know another. */
static bool put_bytes(const uint16_t *glyphs, struct buf *out)
{
    for (unsigned c = 0; c < CODES; c++)
        if (glyphs[c] > 255 || (c > 255 && glyphs[c]))
            return false;
    buf_put_be16(out, 0);
    buf_put_be16(out, 262);
    buf_put_be16(out, 0);
    for (unsigned c = 0; c < 256; c++)
        buf_putc(out, (char) glyphs[c]);
    return true;
}

/* Writes format 4: one segment for each run of codes with consecutive glyphs. */
static void put_segments(const uint16_t *glyphs, struct buf *out)
{
    AUTO_BUF struct buf ends = BUF_EMPTY, starts = BUF_EMPTY, deltas = BUF_EMPTY;
    size_t count = 0;
    unsigned power = 0;

    for (unsigned c = 0; c < CODES - 1; c++) {
        unsigned first = c;

        if (glyphs[c] == 0)
            continue;
        while (c + 1 < CODES - 1 && glyphs[c + 1] == glyphs[c] + 1)
            c++;
        buf_put_be16(&starts, first);
        buf_put_be16(&ends, c);
        buf_put_be16(&deltas, (glyphs[first] - first) & 0xffff);
        count++;
    }
    buf_put_be16(&starts, 0xffff);
    buf_put_be16(&ends, 0xffff);
    buf_put_be16(&deltas, 1);
    count++;
    while (2u << power <= count)
        power++;
    buf_put_be16(out, 4);
    buf_put_be16(out, 16 + 8 * count > 0xffff ? 0xffff : 16 + 8 * count);
    buf_put_be16(out, 0);
    buf_put_be16(out, 2 * count);
    buf_put_be16(out, 2u << power);
    buf_put_be16(out, power);
    buf_put_be16(out, 2 * count - (2u << power));
    buf_put(out, buf_text(&ends), ends.len);
    buf_put_be16(out, 0);
    buf_put(out, buf_text(&starts), starts.len);
    buf_put(out, buf_text(&deltas), deltas.len);
    for (unsigned i = 0; i < count; i++)
        buf_put_be16(out, 0);
    out->failed |= ends.failed || starts.failed || deltas.failed;
}

/* Appends the row of a map to `out`, and its data to `maps`, which will stand at `at` in the table.
 */
static void put_map(const uint8_t *row, size_t at, const uint16_t *glyphs, struct buf *maps,
                    struct buf *out)
{
    buf_put(out, row, 4);
    buf_put_be32(out, at + maps->len);
    if (octets_be16(row) != 1 || !put_bytes(glyphs, maps))
        put_segments(glyphs, maps);
}

bool sfnt_cmap_subset(struct sfnt_table cmap, const uint64_t *keep, struct buf *out)
{
    AUTO_FREE uint16_t *glyphs = malloc(CODES * sizeof *glyphs);
    AUTO_BUF struct buf maps = BUF_EMPTY;
    unsigned n = sfnt_cmap_count(cmap);

    if (!glyphs || n == 0)
        return false;
    buf_put_be16(out, 0);
    buf_put_be16(out, n);
    for (unsigned i = 0; i < n; i++) {
        const uint8_t *row = cmap.data + 4 + 8 * (size_t) i;
        struct kept kept = { keep, glyphs };

        memset(glyphs, 0, CODES * sizeof *glyphs);
        map_each(map_at(cmap, i), keep_one, &kept);
        put_map(row, 4 + 8 * (size_t) n, glyphs, &maps, out);
    }
    buf_put(out, buf_text(&maps), maps.len);
    return !maps.failed && !out->failed;
}

bool sfnt_cmap_write(const struct sfnt_map *maps, unsigned n, struct buf *out)
{
    AUTO_BUF struct buf data = BUF_EMPTY;

    buf_put_be16(out, 0);
    buf_put_be16(out, n);
    for (unsigned i = 0; i < n; i++)
        put_map(maps[i].row, 4 + 8 * (size_t) n, maps[i].glyphs, &data, out);
    buf_put(out, buf_text(&data), data.len);
    return !data.failed && !out->failed;
}
