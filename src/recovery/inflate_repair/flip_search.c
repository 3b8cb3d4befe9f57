#include "recovery/inflate_repair/flip_search.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/scope.h"
#include "recovery/inflate_repair/zstream.h"

#define FLIPS     4     /* in one stream */
#define STEP      256   /* bytes between the places where a state is kept */
#define REACH     16384 /* bytes before the damage shows that are searched for its cause */
#define AHEAD     8     /* bytes zlib may have taken and not looked at */
#define FARTHER   48    /* bytes: a flip that moves the damage by less did not undo any */
#define COPY_COST 2048  /* effort of copying a state */
#define PART      3     /* of the effort: there are other streams */
#define PROVED    SIZE_MAX

struct flip {
    size_t byte;
    unsigned char bit;
    size_t reach; /* where damage shows then, or PROVED */
};

struct search {
    unsigned char *bytes; /* with the flips that were believed */
    size_t n, max, effort;
};

/* Goes on with n bytes, until it has made more than max. False: there is damage in them, or it is
 * the end. */
static bool feed(z_stream *z, const unsigned char *data, size_t n, size_t max, size_t *made,
                 int *got)
{
    unsigned char sink[32768];

    z->next_in = (Bytef *) (uintptr_t) data;
    z->avail_in = (uInt) n;
    do {
        z->next_out = sink;
        z->avail_out = sizeof sink;
        *got = inflate(z, Z_NO_FLUSH);
        *made += sizeof sink - z->avail_out;
    } while (*got == Z_OK && *made <= max && (z->avail_in > 0 || z->avail_out == 0));
    return *made <= max && (*got == Z_OK || *got == Z_BUF_ERROR);
}

/* How far the rest is without damage, with one bit of the byte at `at` turned. */
static size_t reach(struct search *s, const z_stream *before, size_t at, unsigned char bit)
{
    z_stream z;
    size_t made = 0, end;
    int got;

    if (inflateCopy(&z, (z_stream *) (uintptr_t) before) != Z_OK)
        return 0;
    s->bytes[at] ^= bit;
    feed(&z, s->bytes + at, s->n - at, s->max, &made, &got);
    s->bytes[at] ^= bit;
    end = z.total_in;
    inflateEnd(&z);
    zstream_spend(&s->effort, COPY_COST + made + (end - at));
    if (made > s->max)
        return 0;
    return got == Z_STREAM_END ? PROVED : got == Z_DATA_ERROR ? end : 0;
}

/* Tries every bit of the bytes from `from` on, starting with the decoder state at that place. */
static void try_step(struct search *s, const z_stream *state, size_t from, size_t end,
                     struct flip *best)
{
    z_stream z;
    size_t made = 0;
    int got = Z_OK;

    if (inflateCopy(&z, (z_stream *) (uintptr_t) state) != Z_OK)
        return;
    for (size_t at = from; at < end && s->effort > 0 && best->reach != PROVED; at++) {
        for (unsigned bit = 1; bit < 256 && best->reach != PROVED; bit <<= 1) {
            size_t there = reach(s, &z, at, (unsigned char) bit);

            if (there > best->reach)
                *best = (struct flip){ at, (unsigned char) bit, there };
        }
        if (!feed(&z, s->bytes + at, 1, s->max, &made, &got))
            break;
    }
    inflateEnd(&z);
}

/* The bit before `shows` without whose change the stream is sound for longest: the nearest are
 * tried first. */
static struct flip find_flip(struct search *s, size_t shows)
{
    size_t first = shows > REACH ? shows - REACH : 0, n = 0, made = 0;
    size_t end = shows + AHEAD < s->n ? shows + AHEAD : s->n;
    AUTO_FREE z_stream *states = calloc((end - first) / STEP + 1, sizeof *states);
    struct flip best = { .reach = shows + FARTHER };
    z_stream z = { 0 };
    int got;

    if (!states || inflateInit(&z) != Z_OK)
        return best;
    if (first == 0 || feed(&z, s->bytes, first, s->max, &made, &got))
        while (first + n * STEP < end && inflateCopy(&states[n], &z) == Z_OK &&
               feed(&z, s->bytes + first + n++ * STEP, STEP, s->max, &made, &got))
            continue;
    inflateEnd(&z);
    zstream_spend(&s->effort, made + n * COPY_COST);
    for (size_t i = n; i-- > 0;) {
        size_t from = first + i * STEP;

        if (best.reach != PROVED)
            try_step(s, &states[i], from, from + STEP < end ? from + STEP : end, &best);
        inflateEnd(&states[i]);
    }
    return best;
}

/* Where damage shows in the stream as it is; n + 1: nowhere, it has no end. */
static size_t where(struct search *s)
{
    z_stream z = { 0 };
    size_t made = 0, end;
    int got;

    if (inflateInit(&z) != Z_OK)
        return s->n + 1;
    feed(&z, s->bytes, s->n, s->max, &made, &got);
    end = z.total_in;
    inflateEnd(&z);
    zstream_spend(&s->effort, made);
    return got == Z_DATA_ERROR && made <= s->max ? end : s->n + 1;
}

bool flip_search(const unsigned char *data, size_t n, size_t max, size_t *effort, struct buf *out)
{
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    struct search s = { .n = n, .max = max, .effort = *effort / PART };
    size_t given = s.effort;
    bool proved = false;

    buf_put(&bytes, data, n);
    if (bytes.failed || n < 8 || n > UINT32_MAX)
        return false;
    s.bytes = (unsigned char *) bytes.data;
    for (int i = 0; i < FLIPS && !proved; i++) {
        size_t shows = where(&s);
        struct flip flip;

        if (shows > n)
            break;
        flip = find_flip(&s, shows);
        if (!flip.bit)
            break;
        s.bytes[flip.byte] ^= flip.bit;
        proved = flip.reach == PROVED;
    }
    zstream_spend(effort, given - s.effort);
    if (proved)
        buf_put(out, bytes.data, n);
    return proved && !out->failed;
}
