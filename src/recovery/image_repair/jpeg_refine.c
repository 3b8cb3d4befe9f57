#include "recovery/image_repair/jpeg_refine.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define STEPS       24   /* places where the search begins */
#define NEAR        48   /* bits before and after that reading may be off */
#define SEEN_SIZE   4096 /* readings that failed */
#define SEEN_EACH   4    /* blocks after which a reading is compared with them */
#define GAP_BITS    4096 /* after blocks that cannot be read */
#define HASH_FACTOR 0x9e3779b97f4a7c15U

struct search {
    const struct jpeg_refine *refine;
    const struct jpeg_bits *bits;
    uint32_t *at; /* of each block that was read: its first bit */
    uint64_t *seen;
    bool bold; /* blocks that are in doubt are read as if they were not */
};

static int16_t *block_at(const struct jpeg_refine *refine, size_t i)
{
    return refine->of->list[jpeg_blocks_index(refine->of, refine->first + i)];
}

static unsigned char *doubt_at(const struct jpeg_refine *refine, size_t i)
{
    return &refine->of->doubt[jpeg_blocks_index(refine->of, refine->first + i)];
}

/* Reads blocks from the i-th on, up to `to`. Returns the one that cannot be read, or that is not
 * known; that one is unchanged. */
static size_t read_blocks(const struct search *s, struct jpeg_band_place *place, size_t i,
                          size_t to)
{
    const struct jpeg_refine *refine = s->refine;

    for (; i < to && (s->bold || !*doubt_at(refine, i)); i++) {
        int16_t before[JPEG_BLOCK], *block = block_at(refine, i);

        s->at[i] = (uint32_t) place->bits.at;
        memcpy(before, block, sizeof before);
        if (!jpeg_band_refine(&refine->band, place, block)) {
            memcpy(block, before, sizeof before);
            break;
        }
        refine->of->low[jpeg_blocks_index(refine->of, refine->first + i)] =
            (unsigned char) refine->band.low;
    }
    return i;
}

static void forget_blocks(const struct search *s, size_t from, size_t to)
{
    const struct jpeg_refine *refine = s->refine;

    for (size_t i = from; i < to; i++) {
        jpeg_band_coarsen(&refine->band, block_at(refine, i));
        refine->of->low[jpeg_blocks_index(refine->of, refine->first + i)] =
            (unsigned char) (refine->band.low + 1);
    }
}

/* Whether a reading was here already, in vain. */
static bool was_here(struct search *s, size_t i, size_t bit)
{
    uint64_t key = (uint64_t) i << 32 | bit;
    uint64_t *slot = &s->seen[key * HASH_FACTOR >> 52];

    if (*slot == key)
        return true;
    *slot = key;
    return false;
}

/* Whether reading from this bit on for the i-th block ends with the scan. */
static bool ends_well(struct search *s, size_t i, size_t bit)
{
    const struct jpeg_refine *refine = s->refine;
    struct jpeg_band_place place = { { s->bits->data, s->bits->n, bit }, 0 };
    bool well = true, known = false;

    for (; i < refine->n && well && !known && !*doubt_at(refine, i); i++) {
        int16_t block[JPEG_BLOCK];

        if (place.run == 0 && i % SEEN_EACH == 0)
            known = was_here(s, i, place.bits.at);
        memcpy(block, block_at(refine, i), sizeof block);
        well = jpeg_band_refine(&refine->band, &place, block);
    }
    bit = place.bits.at - bit + 16;
    *refine->effort -= bit < *refine->effort ? bit : *refine->effort;
    return well && !known && i == refine->n && jpeg_band_at_end(&place);
}

/* The first bit from `from` on where reading the i-th block may begin, at most `to`; SIZE_MAX:
 * none. */
static size_t find_bit(struct search *s, size_t i, ptrdiff_t from, ptrdiff_t to)
{
    for (ptrdiff_t bit = from < 0 ? 0 : from; bit <= to && (size_t) bit < s->bits->n; bit++)
        if (*s->refine->effort > 0 && ends_well(s, i, (size_t) bit))
            return (size_t) bit;
    return SIZE_MAX;
}

/* A bit near the one where the i-th block was read first, from which reading ends well. */
static size_t find_near(struct search *s, size_t i)
{
    ptrdiff_t here = (ptrdiff_t) s->at[i], missing = s->refine->missing;
    size_t bit;

    bit = find_bit(s, i, here - NEAR, here + NEAR);
    if (bit == SIZE_MAX && (missing > NEAR || missing < -NEAR))
        bit = find_bit(s, i, here - missing - NEAR, here - missing + NEAR);
    /* What was found must be found again from other blocks. */
    if (bit != SIZE_MAX)
        memset(s->seen, 0, SEEN_SIZE * sizeof *s->seen);
    return bit;
}

/* After damage somewhere in the first `stop` blocks: the first block at which another reading may
 * begin that is right, *bit, and how many blocks are certainly before the damage. */
static size_t find_place(struct search *s, size_t stop, size_t *bit, size_t *kept)
{
    size_t step = stop / STEPS + 1, found;

    *bit = SIZE_MAX;
    *kept = 0;
    for (found = 0; found < stop; found += step) {
        *bit = find_near(s, found);
        if (*bit != SIZE_MAX)
            break;
        *kept = found;
    }
    if (*bit == SIZE_MAX) {
        *kept = stop;
        return s->refine->n;
    }
    while (found - *kept > 1) {
        size_t middle = *kept + (found - *kept) / 2, other = find_near(s, middle);

        if (other == SIZE_MAX) {
            *kept = middle;
            continue;
        }
        found = middle;
        *bit = other;
    }
    return found;
}

/* After a gap that begins with the block `stop`. */
static size_t find_after_gap(struct search *s, size_t stop, size_t stop_bit, size_t *bit)
{
    const struct jpeg_refine *refine = s->refine;
    size_t i = stop;

    while (i < refine->n && *doubt_at(refine, i))
        i++;
    for (size_t more = 0; i + more < refine->n; more = more * 4 + 4) {
        *bit =
            find_bit(s, i + more, (ptrdiff_t) stop_bit - NEAR, (ptrdiff_t) (stop_bit + GAP_BITS));
        if (*bit != SIZE_MAX)
            return i + more;
    }
    return refine->n;
}

static void set_doubt(const struct jpeg_refine *refine, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        *doubt_at(refine, i) = true;
}

/* What else there is after damage. */
static void read_rest(struct search *s, size_t stop)
{
    const struct jpeg_refine *refine = s->refine;
    struct jpeg_band_place place = { *s->bits, 0 };
    size_t again, kept, bit = SIZE_MAX;

    s->bold = false;
    if (stop < refine->n && *doubt_at(refine, stop)) {
        kept = read_blocks(s, &place, 0, stop);
        again = find_after_gap(s, stop, place.bits.at, &bit);
    } else {
        again = find_place(s, stop, &bit, &kept);
        read_blocks(s, &place, 0, kept);
    }
    set_doubt(refine, kept, again);
    s->bold = bit == SIZE_MAX;
    if (bit != SIZE_MAX)
        place = (struct jpeg_band_place){ { s->bits->data, s->bits->n, bit }, 0 };
    read_blocks(s, &place, s->bold ? kept : again, refine->n);
}

bool jpeg_refine_read(const struct jpeg_refine *refine, const struct jpeg_bits *bits)
{
    AUTO_FREE uint32_t *at = calloc(refine->n + 1, sizeof *at);
    AUTO_FREE uint64_t *seen = calloc(SEEN_SIZE, sizeof *seen);
    struct search s = { refine, bits, at, seen, true };
    struct jpeg_band_place place = { *bits, 0 };
    size_t read, stop = 0;

    if (!at || !seen)
        return false;
    read = read_blocks(&s, &place, 0, refine->n);
    if (read == refine->n && jpeg_band_at_end(&place))
        return true;
    while (stop < read && !*doubt_at(refine, stop))
        stop++;
    forget_blocks(&s, 0, read);
    read_rest(&s, stop);
    return false;
}
