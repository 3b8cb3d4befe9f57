#include "image/jbig2/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/octets.h"
#include "base/scope.h"
#include "image/jbig2/halftone.h"
#include "image/jbig2/symbols.h"

#define SEGMENTS 65536 /* limit of the segments of a stream */
#define REFERRED 4096  /* limit of those that one refers to */
#define UNKNOWN  0xffffffffU

enum {
    TYPE_DICTIONARY = 0,
    TYPE_PATTERNS = 16,
    TYPE_PAGE = 48,
    TYPE_STRIPE = 50,
    TYPE_TABLES = 53
};

struct segment {
    uint32_t number;
    unsigned type;
    const uint8_t *data;
    size_t n;
    uint32_t *refers; /* owned */
    size_t n_refers;
    /* What it defines. */
    struct jbig2_dictionary dictionary;
    struct jbig2_patterns patterns;
    struct jbig2_table table;
    struct jbig2_map map; /* of an intermediate region */
};

struct stream {
    struct segment *segments;
    size_t n, cap;
    struct jbig2_map page;
    bool has_page, grows; /* the height of the page is not known yet */
    unsigned flags;       /* of the page */
    uint32_t end;         /* rows, by the last stripe */
};

/* 7.4.1. */
struct region {
    uint32_t width, height, x, y;
    enum jbig2_combine combine;
};

static void free_segment(struct segment *segment)
{
    free(segment->refers);
    jbig2_dictionary_free(&segment->dictionary);
    jbig2_map_free(&segment->patterns.all);
    jbig2_table_free(&segment->table);
    jbig2_map_free(&segment->map);
}

static struct segment *find_segment(const struct stream *stream, uint32_t number)
{
    for (size_t i = stream->n; i > 0; i--)
        if (stream->segments[i - 1].number == number)
            return &stream->segments[i - 1];
    return NULL;
}

/* 7.2: returns the length of the header; 0 if it is cut. */
static size_t read_header(struct segment *segment, const uint8_t *p, size_t n)
{
    size_t at = 5, count, each, page;

    if (n < 11)
        return 0;
    segment->number = octets_be32(p);
    segment->type = p[4] & 63;
    page = p[4] & 0x40 ? 4 : 1;
    count = p[5] >> 5;
    at = 6;
    if (count == 7) {
        count = octets_be32(p + 5) & 0x1fffffff;
        at = 9 + (count + 8) / 8;
    }
    each = segment->number <= 256 ? 1 : segment->number <= 65536 ? 2 : 4;
    if (count > REFERRED || n < at + count * each + page + 4)
        return 0;
    segment->refers = calloc(count + 1, sizeof *segment->refers);
    if (!segment->refers)
        return 0;
    for (; segment->n_refers < count; at += each)
        segment->refers[segment->n_refers++] = each == 1   ? p[at]
                                               : each == 2 ? octets_be16(p + at)
                                                           : octets_be32(p + at);
    at += page;
    segment->n = octets_be32(p + at);
    return at + 4;
}

/* 7.2.7: the length of a generic region that does not say it. */
static size_t find_end(const uint8_t *p, size_t n)
{
    bool fax = n > 17 && p[17] & 1;

    for (size_t at = 18; at + 6 <= n; at++)
        if (fax ? p[at] == 0 && p[at + 1] == 0 : p[at] == 0xff && p[at + 1] == 0xac)
            return at + 6;
    return 0;
}

static bool read_region(const struct segment *segment, struct region *region)
{
    const uint8_t *p = segment->data;

    if (segment->n < 17)
        return false;
    *region = (struct region){ octets_be32(p), octets_be32(p + 4), octets_be32(p + 8),
                               octets_be32(p + 12), (enum jbig2_combine)(p[16] & 7) };
    return true;
}

static bool read_generic(const struct segment *segment, struct jbig2_map *map)
{
    const uint8_t *p = segment->data + 17;
    size_t n = segment->n - 17, room, used;
    struct jbig2_generic how = { 0 };
    AUTO_FREE arith_cx *contexts = calloc(JBIG2_GENERIC_CONTEXTS, sizeof *contexts);
    struct arith_reader reader;

    if (n < 1 || !contexts)
        return false;
    if (p[0] & 1)
        return jbig2_fax_read(p + 1, n - 1, map, &used);
    how.template = p[0] >> 1 & 3;
    how.typical = p[0] >> 3 & 1;
    room = jbig2_generic_at(how.template);
    if (p[0] >> 4 & 1 || n < 1 + room) /* an extended template */
        return false;
    memcpy(how.at, p + 1, room);
    for (size_t i = 0; i < room; i += 2)
        if (how.at[i + 1] > 0 || (how.at[i + 1] == 0 && how.at[i] >= 0))
            return false;
    arith_read_begin(&reader, p + 1 + room, n - 1 - room);
    jbig2_generic_read(&how, &reader, contexts, map);
    return true;
}

/* Refines the region that the segment refers to, or what is on the page. */
static bool read_refinement(const struct stream *stream, const struct segment *segment,
                            const struct region *region, struct jbig2_map *map)
{
    const uint8_t *p = segment->data + 17;
    size_t n = segment->n - 17, room;
    struct jbig2_refine how = { .reference = &stream->page };
    AUTO_FREE arith_cx *contexts = calloc(JBIG2_REFINE_CONTEXTS, sizeof *contexts);
    struct arith_reader reader;

    if (n < 1 || !contexts)
        return false;
    how.template = p[0] & 1;
    how.typical = p[0] >> 1 & 1;
    room = how.template ? 0 : 4;
    if (n < 1 + room)
        return false;
    memcpy(how.at, p + 1, room);
    how.dx = -(int64_t) region->x;
    how.dy = -(int64_t) region->y;
    for (size_t i = 0; i < segment->n_refers; i++) {
        const struct segment *from = find_segment(stream, segment->refers[i]);

        if (!from || !from->map.pixels)
            continue;
        how.reference = &from->map;
        how.dx = how.dy = 0;
    }
    arith_read_begin(&reader, p + 1 + room, n - 1 - room);
    jbig2_refine_read(&how, &reader, contexts, map);
    return true;
}

/* Collects what the segments define that this one refers to. */
static bool collect(const struct stream *stream, const struct segment *segment,
                    struct jbig2_inputs *inputs)
{
    *inputs = (struct jbig2_inputs){ 0 };
    inputs->symbols = calloc(JBIG2_SYMBOLS, sizeof(struct jbig2_map *));
    if (!inputs->symbols)
        return false;
    for (size_t i = 0; i < segment->n_refers; i++) {
        const struct segment *from = find_segment(stream, segment->refers[i]);

        if (!from)
            return false;
        if (from->type == TYPE_TABLES && inputs->n_tables < 8)
            inputs->tables[inputs->n_tables++] = &from->table;
        if (from->type != TYPE_DICTIONARY)
            continue;
        inputs->last = &from->dictionary;
        if (from->dictionary.n_exported > JBIG2_SYMBOLS - inputs->n_symbols)
            return false;
        if (from->dictionary.n_exported)
            memcpy(inputs->symbols + inputs->n_symbols, from->dictionary.exported,
                   from->dictionary.n_exported * sizeof(struct jbig2_map *));
        inputs->n_symbols += from->dictionary.n_exported;
    }
    return true;
}

static bool read_dictionary(const struct stream *stream, struct segment *segment)
{
    struct jbig2_inputs inputs;
    bool good = collect(stream, segment, &inputs) &&
                jbig2_dictionary_read(&segment->dictionary, segment->data, segment->n, &inputs);

    free(inputs.symbols);
    return good;
}

static bool read_text_region(const struct stream *stream, const struct segment *segment,
                             struct jbig2_map *map)
{
    struct jbig2_inputs inputs;
    bool good = collect(stream, segment, &inputs);

    good = good && jbig2_text_read(map, segment->data + 17, segment->n - 17, &inputs);
    free(inputs.symbols);
    return good;
}

static bool read_halftone(const struct stream *stream, const struct segment *segment,
                          struct jbig2_map *map)
{
    const struct segment *from =
        segment->n_refers > 0 ? find_segment(stream, segment->refers[0]) : NULL;

    return from && from->patterns.all.pixels &&
           jbig2_halftone_read(map, segment->data + 17, segment->n - 17, &from->patterns);
}

/* Makes the page at least this high, if its height is not known. */
static bool grow_page(struct stream *stream, uint64_t height)
{
    struct jbig2_map higher;
    struct jbig2_map *page = &stream->page;

    if (!stream->grows || height <= page->height)
        return true;
    if (height > UINT32_MAX || !jbig2_map_new(&higher, page->width, (uint32_t) height))
        return false;
    memset(higher.pixels, stream->flags >> 2 & 1, (size_t) page->width * height);
    memcpy(higher.pixels, page->pixels, (size_t) page->width * page->height);
    jbig2_map_free(page);
    *page = higher;
    return true;
}

static bool read_page(struct stream *stream, const struct segment *segment)
{
    const uint8_t *p = segment->data;
    uint32_t height;

    if (segment->n < 19 || stream->has_page)
        return false;
    height = octets_be32(p + 4);
    stream->has_page = true;
    stream->flags = p[16];
    stream->grows = height == UNKNOWN;
    if (!jbig2_map_new(&stream->page, octets_be32(p), stream->grows ? 0 : height))
        return false;
    memset(stream->page.pixels, stream->flags >> 2 & 1,
           (size_t) stream->page.width * stream->page.height);
    return true;
}

static bool decode_region(const struct stream *stream, const struct segment *segment,
                          const struct region *region, struct jbig2_map *map)
{
    switch (segment->type & ~3U) {
    case 4:
        return read_text_region(stream, segment, map);
    case 20:
        return read_halftone(stream, segment, map);
    case 36:
        return read_generic(segment, map);
    default:
        return read_refinement(stream, segment, region, map);
    }
}

/* An intermediate region is kept for others that refine it; the others are drawn. */
static bool put_region(struct stream *stream, struct segment *segment)
{
    AUTO_JBIG2_MAP struct jbig2_map map = { 0 };
    struct region region;

    if (!read_region(segment, &region) || !stream->has_page ||
        !jbig2_map_new(&map, region.width, region.height) ||
        !decode_region(stream, segment, &region, &map))
        return false;
    if ((segment->type & 3) == 0) {
        segment->map = map;
        map = (struct jbig2_map){ 0 };
        return true;
    }
    return grow_page(stream, (uint64_t) region.y + region.height) &&
           jbig2_map_draw(&stream->page, &map, region.x, region.y, region.combine);
}

static bool read_segment(struct stream *stream, struct segment *segment)
{
    switch (segment->type) {
    case TYPE_DICTIONARY:
        return read_dictionary(stream, segment);
    case 4:
    case 6:
    case 7:
    case 20:
    case 22:
    case 23:
    case 36:
    case 38:
    case 39:
    case 40:
    case 42:
    case 43:
        return put_region(stream, segment);
    case TYPE_PATTERNS:
        return jbig2_patterns_read(&segment->patterns, segment->data, segment->n);
    case TYPE_PAGE:
        return read_page(stream, segment);
    case TYPE_STRIPE:
        if (segment->n < 4)
            return false;
        stream->end = octets_be32(segment->data);
        return grow_page(stream, (uint64_t) stream->end + 1);
    case TYPE_TABLES:
        return jbig2_table_read(&segment->table, segment->data, segment->n);
    case 49:
    case 51:
    case 52:
    case 62: /* ends, profiles, extensions */
        return true;
    default:
        return false;
    }
}

/* The rows of a generic region of unknown length follow its data. */
static bool end_unknown(struct segment *segment, uint8_t *head)
{
    segment->n -= 4;
    if (segment->n < 18)
        return false;
    memcpy(head, segment->data, 18);
    memcpy(head + 4, segment->data + segment->n, 4);
    return true;
}

static bool read_next(struct stream *stream, const uint8_t **p, size_t *n)
{
    AUTO_FREE uint8_t *copy = NULL;
    struct segment *segment;
    bool good, unknown;
    size_t head;

    if (stream->n == SEGMENTS || !LIST_ROOM(stream->segments, stream->n, stream->cap))
        return false;
    segment = &stream->segments[stream->n];
    *segment = (struct segment){ 0 };
    head = read_header(segment, *p, *n);
    stream->n++;
    if (head == 0)
        return false;
    *p += head;
    *n -= head;
    unknown = segment->n == UNKNOWN;
    if (unknown)
        segment->n = (segment->type & ~3U) == 36 ? find_end(*p, *n) : 0;
    if (segment->n > *n)
        return false;
    segment->data = *p;
    *p += segment->n;
    *n -= segment->n;
    if (unknown) {
        copy = malloc(segment->n + 1);
        if (!copy || segment->n < 22)
            return false;
        memcpy(copy, segment->data, segment->n);
        if (!end_unknown(segment, copy))
            return false;
        segment->data = copy;
    }
    good = read_segment(stream, segment);
    segment->data = NULL; /* what follows uses what was read only */
    return good;
}

static bool read_segments(struct stream *stream, const uint8_t *p, size_t n)
{
    static const uint8_t padding[11] = { 0 };

    while (n > 0) {
        if (n < sizeof padding && memcmp(p, padding, n) == 0)
            return true;
        if (n == 1 && (*p == '\n' || *p == '\r'))
            return true;
        if (!read_next(stream, &p, &n))
            return false;
    }
    return true;
}

static bool put_page(const struct jbig2_map *page, struct bitmap *out)
{
    if (!raster_bitmap_new(out, page->width, page->height))
        return false;
    for (size_t y = 0; y < out->height; y++)
        for (size_t x = 0; x < out->width; x++)
            if (page->pixels[y * page->width + x])
                out->data[y * out->stride + x / 8] |= (uint8_t) (0x80 >> x % 8);
    return true;
}

bool jbig2_read(const uint8_t *globals, size_t n_globals, const uint8_t *data, size_t n,
                struct bitmap *out)
{
    struct stream stream = { 0 };
    bool good = read_segments(&stream, globals, n_globals) && read_segments(&stream, data, n) &&
                stream.has_page && put_page(&stream.page, out);

    for (size_t i = 0; i < stream.n; i++)
        free_segment(&stream.segments[i]);
    free(stream.segments);
    jbig2_map_free(&stream.page);
    return good;
}

static bool is_rare(const struct segment *segment, const uint8_t *data, size_t n)
{
    switch (segment->type) {
    case TYPE_DICTIONARY: /* Huffman, refinement, contexts of another one; or it is empty */
        return n >= 18 && ((octets_be16(data) & 0x303) != 0 ||
                           octets_be32(data + 2 + jbig2_generic_at(data[0] >> 2 & 3)) == 0);
    case 6:
    case 7: /* Huffman, refinement */
        return n >= 19 && (octets_be16(data + 17) & 3) != 0;
    case 22:
    case 23: /* cells that are combined otherwise */
        return n >= 18 && ((data[16] & 7) != JBIG2_OR || (data[17] >> 4 & 7) != JBIG2_OR);
    case 38:
    case 39:
        return segment->n == UNKNOWN || (n >= 17 && (data[16] & 7) != JBIG2_OR);
    case TYPE_PAGE:
        return n >= 8 && octets_be32(data + 4) == UNKNOWN;
    case 4:
    case 20:
    case 36:
    case 40:
    case 42:
    case 43:
        return true;
    default:
        return false;
    }
}

static bool has_rare(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < SEGMENTS; i++) {
        struct segment segment = { 0 };
        size_t head = read_header(&segment, p, n);
        bool rare = head > 0 && is_rare(&segment, p + head, n - head);

        free(segment.refers);
        if (rare || head == 0 || segment.n > n - head)
            return rare;
        p += head + segment.n;
        n -= head + segment.n;
    }
    return false;
}

bool jbig2_is_rare(const uint8_t *globals, size_t n_globals, const uint8_t *data, size_t n)
{
    return has_rare(globals, n_globals) || has_rare(data, n);
}
