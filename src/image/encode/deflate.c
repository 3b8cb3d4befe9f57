#include "image/encode/deflate.h"

#include <endian.h>
#include <libdeflate.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "image/encode/deflate_block.h"

#define PIECE     ((size_t) 1 << 18) /* bytes encoded at a time */
#define WINDOW    32768U
#define MIN_MATCH 3U
#define MAX_MATCH 258U
#define MAX_PIXEL 4U
#define ADLER     65521U /* the largest prime below 65536 */

/* Measured with bench/encode; more of each costs more time than it saves bytes. */
#define HASH_BITS 14
#define WAYS      3 /* number of recent positions for a hash that are tried */
#define NEAR_BITS 12
#define INSERTS   16 /* pixels of a match that are inserted into the hash table */
/* length of a repeat of the row above, or of a run, after which the hash is not tried */
#define ENOUGH 64
/* shorter matches cost more than the small differences that they replace */
#define MIN_FILTERED 12U
/* limit of pixels of a filtered row that are skipped after many misses */
#define MOST_SKIPPED 16U
/* a match of 4 single bytes from a longer distance costs more than the bytes */
#define SHORT_FAR 4096U

struct deflate {
    struct buf *out;
    struct deflate_block *block;
    size_t stride, pixel;
    uint32_t adler;
    size_t start, end; /* range in data that is not encoded yet; before start is history */
    size_t row_end;    /* where the row after the current position begins, in data */
    bool plain;        /* the row at the current position is not filtered */
    uint64_t must;     /* see begins_same */
    uint32_t base;     /* position in the stream of data[0], modulo 2^32 */
    /* Hash tables of the latest positions in the stream for the first pixels: several pixels,
     * and one. An outdated entry does no harm: the data is always compared. */
    uint32_t heads[1 << HASH_BITS][WAYS], near[1 << NEAR_BITS];
    uint8_t data[WINDOW + PIECE + 8]; /* 8 more, because words are read at byte positions */
};

static inline uint64_t load64(const uint8_t *p)
{
    uint64_t v;

    memcpy(&v, p, sizeof v);
    return le64toh(v);
}

/* The number of equal bytes at a and b, at most max. */
static inline uint32_t same(const uint8_t *a, const uint8_t *b, uint32_t max)
{
    uint32_t n = 0;

    for (; n + 8 <= max; n += 8) {
        uint64_t differs = load64(a + n) ^ load64(b + n);

        if (differs)
            return n + (uint32_t) __builtin_ctzll(differs) / 8;
    }
    while (n < max && a[n] == b[n])
        n++;
    return n;
}

/* Whether a match begins with three equal bytes, or eight in a filtered row. */
static inline bool begins_same(const struct deflate *d, const uint8_t *a, const uint8_t *b)
{
    return ((load64(a) ^ load64(b)) & d->must) == 0;
}

static inline uint32_t hash(uint64_t bytes, unsigned bits)
{
    return (uint32_t) (bytes * 0x9E3779B97F4A7C15U >> (64 - bits));
}

/* The hash slot of the next two pixels, or of the next four if they have one byte. */
static inline uint32_t *slot(struct deflate *d, size_t at, uint32_t pixel)
{
    return d->heads[hash(load64(d->data + at) << (pixel == 4   ? 0
                                                  : pixel == 3 ? 16
                                                               : 32),
                         HASH_BITS)];
}

static inline void remember(struct deflate *d, uint32_t *heads, size_t at)
{
    for (size_t way = WAYS - 1; way > 0; way--)
        heads[way] = heads[way - 1];
    heads[0] = d->base + (uint32_t) at;
}

struct match {
    uint32_t length, dist;
};

/* Tries the match at distance dist, which may have any value. */
static inline bool try(const struct deflate *d, size_t at, uint32_t max, uint32_t dist,
                       struct match *best)
{
    const uint8_t *p = d->data + at, *q;
    uint32_t length;

    if (dist - 1 >= WINDOW || dist > at)
        return false;
    q = p - dist;
    if (!begins_same(d, p, q) || p[best->length] != q[best->length])
        return true;
    length = same(p, q, max);
    if (length > best->length && (length > 4 || dist <= SHORT_FAR || d->pixel > 2))
        *best = (struct match){ length, dist };
    return true;
}

/* The longest match at `at`, where max bytes are left; length 0 if none is worth it. */
static inline struct match find_match(struct deflate *d, size_t at, uint32_t max, uint32_t pixel)
{
    struct match best = { 0, 0 };
    uint32_t place = d->base + (uint32_t) at, *heads, *near;

    if (max < 8)
        return best;
    try(d, at, max, pixel, &best);
    if (best.length >= MAX_MATCH - pixel)
        return best;
    if (d->stride <= WINDOW)
        try(d, at, max, (uint32_t) d->stride, &best);
    if (best.length >= ENOUGH)
        return best;
    heads = slot(d, at, pixel);
    for (size_t way = 0; way < WAYS && try(d, at, max, place - heads[way], &best);)
        way++;
    remember(d, heads, at);
    if (pixel == 3 && d->plain) {
        /* Even a match of one pixel is worth it: three arbitrary bytes of an edge cost more. */
        near = &d->near[hash(load64(d->data + at) << 40, NEAR_BITS)];
        if (best.length < 3)
            try(d, at, max, place - *near, &best);
        *near = place;
    }
    return best;
}

static inline uint32_t least_of(size_t a, uint32_t b)
{
    return a < b ? (uint32_t) a : b;
}

/* The length of a match at `at`, shortened to end at a pixel's end. */
static inline uint32_t whole_pixels(const struct deflate *d, size_t at, uint32_t n, uint32_t pixel)
{
    size_t past = at + n, row_end = d->row_end;

    while (row_end < past)
        row_end += d->stride;
    if (past < row_end && n > 0)
        n -= (uint32_t) ((past - 1 - (row_end - d->stride)) % pixel);
    return n;
}

/* Encodes the filter byte at `at`, or the pixel and `more` pixels of the row. Returns the bytes
 * encoded. */
static inline uint32_t literals(struct deflate *d, size_t at, uint32_t more, uint32_t pixel)
{
    size_t in_row = at + d->stride - d->row_end, to = at + 1;

    if (in_row > 0) {
        to = at + pixel - (in_row - 1) % pixel + (size_t) more * pixel;
        to = to < d->row_end ? to : d->row_end;
        to = to < d->end ? to : d->end;
    }
    for (size_t i = at; i < to; i++)
        deflate_block_literal(d->block, d->data[i]);
    return (uint32_t) (to - at);
}

static inline void enter_row(struct deflate *d, size_t at)
{
    for (; d->row_end <= at; d->row_end += d->stride)
        d->plain = d->data[d->row_end] == 0;
    d->must = d->plain ? 0xffffff : UINT64_MAX;
}

/* Encodes data[start..end). pixel is a constant in all calls. */
static inline __attribute__((always_inline)) void code(struct deflate *d, uint32_t pixel)
{
    size_t at = d->start;
    uint32_t misses = 0; /* consecutive pixels without a match */

    while (at < d->end) {
        struct match match;
        uint32_t n;

        if (d->row_end <= at)
            enter_row(d, at);
        if (deflate_block_full(d->block, MAX_PIXEL * (1 + MOST_SKIPPED)))
            deflate_block_write(d->block, false, d->out);
        match = find_match(d, at, least_of(d->end - at, MAX_MATCH), pixel);
        n = whole_pixels(d, at, match.length, pixel);
        if (n >= (d->plain ? MIN_MATCH : MIN_FILTERED)) {
            misses = 0;
            deflate_block_match(d->block, n, match.dist);
            for (size_t i = at + pixel, to = at + least_of(n, INSERTS * pixel); i < to; i += pixel)
                remember(d, slot(d, i, pixel), i);
        } else {
            n = literals(d, at, d->plain ? 0 : least_of(misses++ / 2, MOST_SKIPPED), pixel);
        }
        at += n;
    }
}

static void code_all(struct deflate *d)
{
    size_t keep;

    d->adler = libdeflate_adler32(d->adler, d->data + d->start, d->end - d->start);
    switch (d->pixel) {
    case 1:
        code(d, 1);
        break;
    case 2:
        code(d, 2);
        break;
    case 3:
        code(d, 3);
        break;
    default:
        code(d, 4);
    }
    keep = d->end < WINDOW ? d->end : WINDOW;
    memmove(d->data, d->data + d->end - keep, keep);
    d->base += (uint32_t) (d->end - keep);
    d->row_end -= d->end - keep;
    d->start = d->end = keep;
}

struct deflate *deflate_new(struct err *err)
{
    struct deflate *d = calloc(1, sizeof *d);

    if (d)
        d->block = calloc(1, sizeof *d->block);
    if (!d || !d->block) {
        deflate_free(d);
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    return d;
}

void deflate_free(struct deflate *d)
{
    if (d)
        free(d->block);
    free(d);
}

void deflate_begin_part(struct deflate *d, size_t stride, size_t pixel, bool first, struct buf *out)
{
    d->out = out;
    d->stride = stride;
    d->pixel = pixel;
    d->adler = 1;
    d->start = d->end = d->row_end = 0;
    d->base = 0;
    memset(d->heads, 0xff, sizeof d->heads);
    memset(d->near, 0xff, sizeof d->near);
    deflate_block_begin(d->block);
    if (first)
        buf_put(out, "\x78\x5e", 2); /* window of 32 kB, fast compression level (RFC 1950, 2.2) */
}

void deflate_begin(struct deflate *d, size_t stride, size_t pixel, struct buf *out)
{
    deflate_begin_part(d, stride, pixel, true, out);
}

void deflate_put(struct deflate *d, const void *data, size_t n)
{
    for (const uint8_t *p = data; n > 0;) {
        size_t room = PIECE + WINDOW - d->end, some = n < room ? n : room;

        memcpy(d->data + d->end, p, some);
        d->end += some;
        if (some == room)
            code_all(d);
        p += some;
        n -= some;
    }
}

uint32_t deflate_end_part(struct deflate *d, bool last)
{
    code_all(d);
    deflate_block_write(d->block, last, d->out);
    if (!last)
        deflate_block_align(d->block, d->out);
    return d->adler;
}

void deflate_end(struct deflate *d)
{
    uint8_t sum[4];

    deflate_sum(deflate_end_part(d, true), sum);
    buf_put(d->out, sum, sizeof sum);
}

/* Adler-32 (RFC 1950, 9): a is 1 plus the sum of all bytes, b the sum of the values of a after
 * each byte. */
uint32_t deflate_join_sums(uint32_t sum, uint32_t more, uint64_t n)
{
    uint64_t a = sum & 0xffff, b = sum >> 16;

    b = (b + (more >> 16) + n % ADLER * (a + ADLER - 1)) % ADLER;
    a = (a + (more & 0xffff) + ADLER - 1) % ADLER;
    return (uint32_t) (b << 16 | a);
}

void deflate_sum(uint32_t sum, uint8_t out[static 4])
{
    for (int i = 0; i < 4; i++)
        out[i] = (uint8_t) (sum >> (24 - 8 * i));
}
