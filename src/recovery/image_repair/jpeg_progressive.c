#include "recovery/image_repair/jpeg_progressive.h"

#include <stdlib.h>
#include <string.h>

#include "base/jpeg_marker.h"
#include "base/octets.h"
#include "base/scope.h"
#include "recovery/image_repair/jpeg_align.h"
#include "recovery/image_repair/jpeg_refine.h"

#define SCANS_MAX     200 /* limit of scans, and */
#define BLOCKS_RATE   24U /* of the blocks read in all of them, for each block of the image */
#define MCUS_RATE     64U /* MCUs for each byte */
#define SEARCH_RATE   32U /* bits looked at for each bit of the data, to read on after damage, */
#define SEARCH_EFFORT (1U << 18) /* and besides */
#define PROOF         8U         /* blocks that must be read well to go on from somewhere */
#define MARGIN        4U         /* blocks next to damage that are in doubt */
#define LEVEL_PLACES  12U        /* of a scan of DC coefficients, from where the rest is read, */
#define LEVEL_BITS    24U        /* from this number of bits on at each, */
#define LEVEL_EFFORT  (1U << 24) /* and bits that may be read for that */
#define LEVEL_COST    8U         /* of comparing an MCU with others */
#define DC_SIZE_MAX   11
#define DC_MAX        2047
#define LOW_MAX       13 /* table B.3 */

struct scan {
    int n, of[JPEG_COMPONENTS];
    struct jpeg_band band;
    bool adds; /* bits to coefficients of earlier scans */
};

/* A scan of DC coefficients that is damaged: other scans tell where its blocks belong. */
struct wait {
    struct scan scan;
    struct jpeg_head *head; /* with the tables of the scan; owned; NULL: none waits */
    struct buf data;
    size_t first, n;
};

struct reader {
    const unsigned char *data;
    size_t n;
    struct jpeg_head *head; /* its tables change from scan to scan; owned */
    struct jpeg_blocks blocks;
    const struct jpeg_hint *hint;
    struct buf plain; /* of a scan, or of an interval of it: without stuffing */
    struct wait wait;
    size_t effort, left; /* bits to search, and blocks to read */
    bool levels;         /* DC coefficients were read */
    bool damaged, only_look;
};

static void reader_free(struct reader *r)
{
    jpeg_blocks_free(&r->blocks);
    buf_free(&r->plain);
    buf_free(&r->wait.data);
    free(r->wait.head);
    free(r->head);
}

static struct jpeg_bits bits_of(const struct buf *plain)
{
    return (struct jpeg_bits){ (const unsigned char *) plain->data, plain->len * 8, 0 };
}

/* ---- DC coefficients (G.1.2.1) */

static bool read_level(const struct jpeg_huffman *table, struct jpeg_bits *bits, int *level)
{
    int size = table->there ? jpeg_huffman_read(bits, table) : -1;

    if (size < 0 || size > DC_SIZE_MAX)
        return false;
    *level += jpeg_bits_signed(bits, (unsigned) size);
    return bits->at <= bits->n && abs(*level) <= DC_MAX;
}

/* The blocks of an MCU of a scan: those of all components, or one of the only one. */
static size_t blocks_of_unit(const struct reader *r, const struct scan *scan, size_t unit,
                             int16_t *blocks[JPEG_BLOCKS], int of[JPEG_BLOCKS])
{
    const struct jpeg_head *head = r->head;
    size_t n = 0;

    if (scan->n == 1) {
        const struct jpeg_plane_blocks *plane = &r->blocks.of[scan->of[0]];

        of[0] = scan->of[0];
        blocks[0] = plane->list[jpeg_blocks_index(plane, unit)];
        return 1;
    }
    for (int i = 0; i < scan->n; i++) {
        const struct jpeg_component *c = &head->component[scan->of[i]];
        const struct jpeg_plane_blocks *plane = &r->blocks.of[scan->of[i]];

        for (size_t k = 0; k < (size_t) c->h * c->v; k++, n++) {
            size_t x = unit % head->mcus_across * c->h + k % c->h;
            size_t y = unit / head->mcus_across * c->v + k / c->h;

            of[n] = scan->of[i];
            blocks[n] = plane->list[y * plane->stride + x];
        }
    }
    return n;
}

/* False: the levels of the unit cannot be read. */
static bool read_unit(const struct jpeg_head *head, const struct scan *scan, struct jpeg_bits *bits,
                      int levels[JPEG_COMPONENTS], struct jpeg_levels *out)
{
    int n = 0;

    for (int i = 0; i < scan->n; i++) {
        const struct jpeg_component *c = &head->component[scan->of[i]];

        for (int k = 0; k < (scan->n > 1 ? c->h * c->v : 1); k++, n++) {
            if (!read_level(&head->dc[c->dc], bits, &levels[i]))
                return false;
            out->of[n] = (int16_t) (levels[i] * (1 << scan->band.low));
        }
    }
    return true;
}

/* Reads units up to the end, at most `most` of them, with their levels relative to the first one's.
 * True if the data ends as a scan does. If `past`, it reads past what is not a unit. */
static bool read_levels(const struct jpeg_head *head, const struct scan *scan,
                        struct jpeg_bits bits, bool past, size_t most, struct jpeg_level_list *list)
{
    int levels[JPEG_COMPONENTS] = { 0 };
    bool well = true;

    list->n = 0;
    while (list->n < most && bits.at < bits.n &&
           !jpeg_band_at_end(&(struct jpeg_band_place){ bits, 0 })) {
        struct jpeg_bits look = bits;

        if (read_unit(head, scan, &look, levels, &list->list[list->n])) {
            bits = look;
            list->n++;
            continue;
        }
        if (!past)
            return false;
        well = false;
        memset(levels, 0, sizeof levels);
        bits.at++;
    }
    return well && jpeg_band_at_end(&(struct jpeg_band_place){ bits, 0 });
}

static void put_unit(const struct reader *r, const struct scan *scan, size_t unit,
                     const struct jpeg_levels *levels)
{
    int16_t *blocks[JPEG_BLOCKS];
    int of[JPEG_BLOCKS];
    size_t n = blocks_of_unit(r, scan, unit, blocks, of);

    for (size_t i = 0; i < n; i++)
        blocks[i][0] = levels->of[i];
}

static bool make_list(struct jpeg_level_list *list, size_t most)
{
    list->list = calloc(most, sizeof *list->list);
    return list->list != NULL;
}

static void free_list(struct jpeg_level_list *list)
{
    free(list->list);
}

static size_t most_units(size_t n)
{
    return n + n / 8 + 16;
}

/* Keeps the data of a damaged scan for when more is known. */
static bool let_wait(struct reader *r, const struct scan *scan, size_t first, size_t n)
{
    struct wait *wait = &r->wait;

    wait->head = malloc(sizeof *wait->head);
    if (!wait->head)
        return false;
    *wait->head = *r->head;
    wait->scan = *scan;
    wait->first = first;
    wait->n = n;
    buf_put(&wait->data, r->plain.data, r->plain.len);
    return !wait->data.failed;
}

/* The MCUs from `first` on. False: out of memory. */
static bool read_first_levels(struct reader *r, const struct scan *scan, size_t first, size_t n)
{
    __attribute__((cleanup(free_list))) struct jpeg_level_list list = { 0 };
    bool well;

    if (!make_list(&list, most_units(n)))
        return false;
    well = read_levels(r->head, scan, bits_of(&r->plain), true, most_units(n), &list);
    r->levels |= list.n > 0;
    for (size_t i = 0; i < n && i < list.n; i++)
        put_unit(r, scan, first + i, &list.list[i]);
    if (well && list.n == n)
        return true;
    r->damaged = true;
    return scan->n < r->head->n || r->wait.head || list.n == 0 || let_wait(r, scan, first, n);
}

/* Two readings of a scan of DC coefficients: from its beginning, and one that reaches its end. */
struct readings {
    struct jpeg_level_list start, end, spare;
    struct jpeg_split parts;
    size_t effort; /* bits */
};

static void free_readings(struct readings *found)
{
    free_list(&found->start);
    free_list(&found->end);
    free_list(&found->spare);
}

/* The reading from one of the bits after `from` on that goes best with the rest of the image, if
 * that is better than `end`. */
static bool try_levels(const struct reader *r, struct readings *found, size_t from)
{
    const struct wait *wait = &r->wait;
    struct jpeg_bits bits = bits_of(&wait->data);
    bool better = false;

    for (bits.at = from; bits.at < from + LEVEL_BITS && bits.at < bits.n && found->effort > 0;
         bits.at++) {
        size_t spent = bits.n - bits.at + wait->n * LEVEL_COST;
        struct jpeg_split parts;
        struct jpeg_level_list other = found->end;

        found->effort -= spent < found->effort ? spent : found->effort;
        if (!read_levels(wait->head, &wait->scan, bits, false, most_units(wait->n),
                         &found->spare) ||
            found->spare.n > wait->n)
            continue;
        parts = jpeg_align_levels(&r->blocks, wait->first, wait->n, &found->start, &found->spare);
        if (parts.cost >= found->parts.cost)
            continue;
        found->parts = parts;
        found->end = found->spare;
        found->spare = other;
        better = true;
    }
    return better;
}

/* Reads the rest from several places on: which component's coefficient comes next is lost with the
 * damage. Then from places before the one that is best, for as long as that makes it better. */
static void find_levels(const struct reader *r, struct readings *found)
{
    size_t n = r->wait.data.len * 8, step = n / LEVEL_PLACES, best = 0;

    for (size_t i = 1; i < LEVEL_PLACES; i++)
        if (try_levels(r, found, step * i))
            best = step * i;
    for (step /= 2; best > 0 && step >= LEVEL_BITS; step /= 2)
        if (try_levels(r, found, best - step))
            best -= step;
}

static void settle_levels(struct reader *r)
{
    struct wait *wait = &r->wait;
    __attribute__((cleanup(free_readings))) struct readings found = { .effort = LEVEL_EFFORT };
    size_t most = most_units(wait->n);

    if (!wait->head)
        return;
    if (make_list(&found.start, most) && make_list(&found.end, most) &&
        make_list(&found.spare, most)) {
        read_levels(wait->head, &wait->scan, bits_of(&wait->data), true, most, &found.start);
        memcpy(found.end.list, found.start.list, found.start.n * sizeof *found.start.list);
        found.end.n = found.start.n;
        found.parts = jpeg_align_levels(&r->blocks, wait->first, wait->n, &found.start, &found.end);
        find_levels(r, &found);
        if (found.parts.before == found.parts.after)
            found.parts.before = found.parts.after = jpeg_align_near(
                &r->blocks, wait->first, wait->n, &found.start, &found.end, found.parts.after);
        jpeg_align_put_levels(&r->blocks, wait->first, wait->n, &found.start, &found.end,
                              found.parts);
    }
    free(wait->head);
    wait->head = NULL;
}

/* A bit for each block, without a code. */
static void refine_levels(struct reader *r, const struct scan *scan, size_t first, size_t n)
{
    struct jpeg_bits bits = bits_of(&r->plain);
    struct jpeg_band_place end;

    for (size_t unit = first; unit < first + n; unit++) {
        int16_t *blocks[JPEG_BLOCKS];
        int of[JPEG_BLOCKS];
        size_t count = blocks_of_unit(r, scan, unit, blocks, of);

        for (size_t i = 0; i < count && bits.at < bits.n; i++, bits.at++)
            if (jpeg_bits_peek(&bits) >> 15)
                blocks[i][0] = (int16_t) (blocks[i][0] | 1 << scan->band.low);
    }
    end = (struct jpeg_band_place){ bits, 0 };
    r->damaged |= !jpeg_band_at_end(&end);
}

/* ---- AC coefficients (G.1.2.2, G.1.2.3) */

static bool reads_well(const struct jpeg_band *band, struct jpeg_band_place place)
{
    for (unsigned i = 0; i < PROOF && !jpeg_band_at_end(&place); i++) {
        int16_t block[JPEG_BLOCK] = { 0 };

        place.run = 0;
        if (!jpeg_band_first(band, &place, block))
            return false;
    }
    return true;
}

/* Reads blocks past what is damaged, at most `most`. */
static size_t read_past(struct reader *r, const struct jpeg_band *band, int16_t (*list)[JPEG_BLOCK],
                        size_t most)
{
    struct jpeg_band_place place = { bits_of(&r->plain), 0 };
    size_t n = 0;

    while (n < most && !jpeg_band_at_end(&place) && place.bits.at < place.bits.n && r->effort > 0) {
        struct jpeg_band_place look = place;

        if (jpeg_band_first(band, &look, list[n])) {
            place = look;
            n++;
            continue;
        }
        memset(list[n], 0, sizeof list[n]);
        place.run = 0;
        do {
            place.bits.at++;
            r->effort -= r->effort > JPEG_BLOCK ? JPEG_BLOCK : r->effort;
        } while (place.bits.at < place.bits.n && r->effort > 0 && !reads_well(band, place));
    }
    return n;
}

static void put_band(const struct jpeg_band *band, struct jpeg_plane_blocks *of, size_t i,
                     const int16_t *block)
{
    size_t at = jpeg_blocks_index(of, i);

    for (int k = band->first; k <= band->last; k++)
        of->list[at][k] = block ? block[k] : 0;
    of->low[at] = (unsigned char) band->low;
}

static void put_parts(struct reader *r, const struct scan *scan, size_t first, size_t n,
                      int16_t (*list)[JPEG_BLOCK], size_t read)
{
    struct jpeg_plane_blocks *of = &r->blocks.of[scan->of[0]];
    struct jpeg_split parts =
        jpeg_align_band(&r->blocks, scan->of[0], &scan->band, first, n, list, read);

    for (size_t i = 0; i < n; i++) {
        bool before = i < parts.before, after = i >= parts.after;
        bool near_by = i + MARGIN >= parts.before && i < parts.after + MARGIN;

        put_band(&scan->band, of, first + i, before ? list[i] : after ? list[i + read - n] : NULL);
        if (near_by)
            of->doubt[jpeg_blocks_index(of, first + i)] = true;
    }
}

static bool read_first(struct reader *r, const struct scan *scan, size_t first, size_t n)
{
    struct jpeg_plane_blocks *of = &r->blocks.of[scan->of[0]];
    struct jpeg_band_place place = { bits_of(&r->plain), 0 };
    size_t i = 0, most = n + n / 2 + 64, read;
    int16_t(*list)[JPEG_BLOCK];

    for (; i < n; i++) {
        size_t at = jpeg_blocks_index(of, first + i);

        if (!jpeg_band_first(&scan->band, &place, of->list[at]))
            break;
        of->low[at] = (unsigned char) scan->band.low;
    }
    if (i == n && jpeg_band_at_end(&place))
        return true;
    r->damaged = true;
    list = calloc(most, sizeof *list);
    if (!list)
        return false;
    read = read_past(r, &scan->band, list, most);
    put_parts(r, scan, first, n, list, read);
    free(list);
    return true;
}

/* The blocks of a component that none but the next scans describe. */
static void read_more(struct reader *r, const struct scan *scan, size_t first, size_t n)
{
    struct jpeg_refine refine = { &r->blocks.of[scan->of[0]], scan->band, first, n,
                                  8 * r->hint->missing,       &r->effort };
    struct jpeg_bits bits = bits_of(&r->plain);

    if (!jpeg_refine_read(&refine, &bits))
        r->damaged = true;
}

/* ---- Scans */

static size_t units_of(const struct reader *r, const struct scan *scan)
{
    const struct jpeg_plane_blocks *of = &r->blocks.of[scan->of[0]];

    return scan->n == 1 ? of->across * of->down : r->head->mcus;
}

/* The data in `plain`, of n MCUs of the scan. */
static bool read_interval(struct reader *r, const struct scan *scan, size_t first, size_t n)
{
    bool done = true;

    if (r->left < n)
        return false;
    r->left -= n;
    if (scan->band.first > 0 && scan->adds)
        read_more(r, scan, first, n);
    else if (scan->band.first > 0)
        done = read_first(r, scan, first, n);
    else if (scan->adds)
        refine_levels(r, scan, first, n);
    else
        done = read_first_levels(r, scan, first, n);
    return done && !r->plain.failed;
}

static int component_of(const struct jpeg_head *head, unsigned char id)
{
    for (int i = 0; i < head->n; i++)
        if (head->component[i].id == id)
            return i;
    return -1;
}

/* B.2.3, and table B.3: n bytes after the length. */
static bool read_scan_header(struct reader *r, const unsigned char *d, size_t n, struct scan *scan)
{
    unsigned high, ac = 0;

    if (n < 1 || d[0] == 0 || d[0] > r->head->n || n != 4 + 2 * (size_t) d[0])
        return false;
    scan->n = d[0];
    for (int i = 0; i < scan->n; i++) {
        int c = component_of(r->head, d[1 + 2 * i]);

        if (c < 0 || (i > 0 && c <= scan->of[i - 1]) || d[2 + 2 * i] >> 4 >= JPEG_TABLES ||
            (d[2 + 2 * i] & 15U) >= JPEG_TABLES)
            return false;
        scan->of[i] = c;
        r->head->component[c].dc = d[2 + 2 * i] >> 4;
        ac = d[2 + 2 * i] & 15U;
    }
    high = d[n - 1] >> 4;
    scan->band = (struct jpeg_band){ &r->head->ac[ac], d[n - 3], d[n - 2], d[n - 1] & 15 };
    scan->adds = high > 0;
    if (scan->band.first == 0)
        return scan->band.last == 0 && scan->band.low <= LOW_MAX;
    return scan->n == 1 && scan->band.last < JPEG_BLOCK && scan->band.first <= scan->band.last &&
           scan->band.low <= LOW_MAX && (!scan->adds || (int) high == scan->band.low + 1) &&
           scan->band.table->there;
}

/* Whether a segment can begin here. */
static bool is_segment(const struct reader *r, size_t at)
{
    unsigned marker = r->data[at + 1];
    size_t length = at + 4 <= r->n ? octets_be16(r->data + at + 2) : 0;

    if (marker == JPEG_EOI)
        return at + 2 == r->n || (at + 2 < r->n && at + 64 >= r->n);
    if (marker != JPEG_DHT && marker != JPEG_SOS && marker != JPEG_DQT && marker != JPEG_DRI &&
        marker != JPEG_APP0 && marker != 0xfe)
        return false;
    return length >= 3 && at + 2 + length < r->n &&
           (marker == JPEG_SOS ? length == 6 + 2U * r->data[at + 4]
                               : r->data[at + 2 + length] == 0xff);
}

static size_t next_segment(const struct reader *r, size_t at)
{
    for (; at + 1 < r->n; at++)
        if (r->data[at] == 0xff && r->data[at + 1] != 0 && r->data[at + 1] != 0xff &&
            is_segment(r, at))
            return at;
    return r->n;
}

/* The data from `at` to `to`, in intervals between restart markers. */
static bool read_scan(struct reader *r, const struct scan *scan, size_t at, size_t to)
{
    size_t units = units_of(r, scan), restart = r->head->restart ? r->head->restart : units;
    size_t nth = 0, limit = units / restart + (units % restart > 0);

    if (scan->band.first == 0 && scan->adds)
        settle_levels(r);
    r->plain.len = 0;
    for (; at <= to; at++) {
        unsigned after = at + 1 < to ? r->data[at + 1] : 0;
        bool marker = at < to && r->data[at] == 0xff && (after & 0xf8) == JPEG_RST0;

        if (at < to && (!marker || nth + 1 + ((after - nth) & 7U) >= limit + (limit == 1))) {
            buf_putc(&r->plain, (char) r->data[at]);
            at += r->data[at] == 0xff && after == 0;
            continue;
        }
        if (!read_interval(r, scan, nth * restart,
                           (nth + 1) * restart < units ? restart : units - nth * restart))
            return false;
        if (at == to)
            break;
        r->damaged |= ((after - nth) & 7U) != 0;
        nth += 1 + ((after - nth) & 7U);
        r->plain.len = 0;
        at++;
        if (r->damaged && r->only_look)
            return true;
    }
    r->damaged |= nth + 1 < limit;
    return true;
}

/* False: memory or the limits are used up. */
static bool read_scans(struct reader *r)
{
    size_t at = r->head->data, scans = 0;

    while (at < r->n && scans < SCANS_MAX) {
        size_t next = next_segment(r, at), length, end;
        struct scan scan = { 0 };

        r->damaged |= next != at || next == r->n;
        if (next == r->n || r->data[next + 1] == JPEG_EOI)
            break;
        length = octets_be16(r->data + next + 2);
        at = next + 2 + length;
        if (r->data[next + 1] != JPEG_SOS) {
            r->damaged |=
                !jpeg_head_add_segment(r->head, r->data[next + 1], r->data + next + 4, length - 2);
            continue;
        }
        end = next_segment(r, at);
        scans++;
        if (!read_scan_header(r, r->data + next + 4, length - 2, &scan))
            r->damaged = true;
        else if (!read_scan(r, &scan, at, end))
            return false;
        at = end;
        if (r->damaged && r->only_look)
            return true;
    }
    settle_levels(r);
    return true;
}

static bool reader_begin(struct reader *r, const struct jpeg_head *head)
{
    r->head = malloc(sizeof *r->head);
    if (!r->head)
        return false;
    *r->head = *head;
    if (head->mcus / MCUS_RATE > r->n || !jpeg_blocks_make(&r->blocks, r->head))
        return false;
    r->effort = (size_t) SEARCH_RATE * 8 * r->n + SEARCH_EFFORT;
    r->left = BLOCKS_RATE * r->blocks.n;
    return true;
}

/* MCUs, by the blocks of the first component that are in doubt. */
static size_t count_lost(const struct reader *r)
{
    const struct jpeg_plane_blocks *of = &r->blocks.of[0];
    size_t n = 0, all = of->across * of->down;

    for (size_t i = 0; i < all; i++)
        n += of->doubt[jpeg_blocks_index(of, i)];
    return all ? (size_t) ((uint64_t) n * r->head->mcus / all) : 0;
}

enum jpeg_state jpeg_progressive_mend(const struct jpeg_head *head, const unsigned char *data,
                                      size_t n, const struct jpeg_hint *hint, struct buf *out,
                                      struct jpeg_mended *mended)
{
    __attribute__((cleanup(reader_free))) struct reader r = { .data = data, .n = n, .hint = hint };

    if (!reader_begin(&r, head))
        return JPEG_HOPELESS;
    mended->work = head->mcus;
    if (!read_scans(&r) || !r.levels)
        return r.damaged ? JPEG_HOPELESS : JPEG_SOUND;
    if (!r.damaged)
        return JPEG_SOUND;
    mended->work = (BLOCKS_RATE * r.blocks.n - r.left) / 4;
    mended->mcus = head->mcus;
    mended->lost = count_lost(&r);
    return jpeg_blocks_write(&r.blocks, out) ? JPEG_MENDED : JPEG_HOPELESS;
}
