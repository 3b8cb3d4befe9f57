#include "recovery/image_repair/jpeg_align.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define CAP        96        /* of a step that does not fit, in levels */
#define DETAIL     24        /* of a difference in detail by a factor of 2 */
#define GAP        (2 * CAP) /* of a block that is left out */
#define MARGIN     2         /* MCUs next to damage that are left out */
#define UNREAD     (4 * CAP)
#define OFFERS_MAX 4096
#define GAP_FROM   4    /* MCUs missing that are no error of counting */
#define NEAR_ROWS  3    /* in which damage is searched on each side of where it seems to be, */
#define NEAR_LOOKS 1024 /* at most at this number of places */
#define ROW_LOOKS  64   /* blocks of a row that tell whether it goes with the one above */

/* K.8: of a slope over three blocks the AC coefficient has 36/256 of the difference of the DC
 * coefficients of the outer ones; so a step to the next block is 64/36 of the sum of both's AC. */
static int slope_of_levels(int difference)
{
    return difference * 36 / 256;
}

static int step_of_slopes(int sum)
{
    return sum * 64 / 36;
}

static int value_of(const struct jpeg_blocks *blocks, int c, size_t i, int k)
{
    const struct jpeg_head *head = blocks->head;

    return blocks->of[c].list[i][k] * head->quantisers[head->component[c].quantiser][k];
}

static int capped(int error)
{
    error = abs(error);
    return error < CAP ? error : CAP;
}

/* 8 times the binary logarithm of 1 + sum, roughly. */
static int logarithm(int sum)
{
    int bits = 0;

    for (sum += 1; sum >> (bits + 1); bits++)
        continue;
    return 8 * bits + (bits > 3 ? sum >> (bits - 3) & 7 : (sum << (3 - bits)) & 7);
}

/* How much detail a block has in coefficients. */
static int detail(const struct jpeg_blocks *blocks, int c, const int16_t *block, int from, int to)
{
    const struct jpeg_head *head = blocks->head;
    const unsigned char *steps = head->quantisers[head->component[c].quantiser];
    int sum = 0;

    for (int k = from; k <= to; k++)
        sum += abs(block[k]) * steps[k];
    return logarithm(sum);
}

static int slope_error(const struct jpeg_blocks *blocks, int c, const int16_t *block, size_t at)
{
    const struct jpeg_head *head = blocks->head;
    const struct jpeg_plane_blocks *of = &blocks->of[c];
    const unsigned char *steps = head->quantisers[head->component[c].quantiser];
    size_t x = at % of->stride, y = at / of->stride;
    size_t left = x > 0 ? at - 1 : at, right = x + 1 < of->across ? at + 1 : at;
    size_t above = y > 0 ? at - of->stride : at, below = y + 1 < of->down ? at + of->stride : at;
    int across = value_of(blocks, c, left, 0) - value_of(blocks, c, right, 0);
    int down = value_of(blocks, c, above, 0) - value_of(blocks, c, below, 0);

    return capped(block[1] * steps[1] - slope_of_levels(across)) +
           capped(block[2] * steps[2] - slope_of_levels(down));
}

/* What it costs, all together, to have the blocks of the first part where they are, those of the
 * last part there, and to leave out at least `gap` between them. */
static struct jpeg_split split(const int *at_start, const int *at_end, size_t n, size_t gap)
{
    int64_t before = 0, best_before = 0, after = 0, each = (int64_t) GAP;
    struct jpeg_split best = { 0, n, INT64_MAX };
    size_t so_far = 0;

    for (size_t i = gap; i < n; i++)
        after += at_end[i];
    /* before: the cost of those in the first part, less what it would be to leave them out */
    for (size_t to = gap; to <= n; to++) {
        size_t last = to - gap;

        if (before <= best_before) {
            best_before = before;
            so_far = last;
        }
        if (best_before + each * (int64_t) to + after < best.cost)
            best = (struct jpeg_split){ so_far, to, best_before + each * (int64_t) to + after };
        if (to < n) {
            before += at_start[last] - each;
            after -= at_end[to];
        }
    }
    return best;
}

/* The cost of a block at the place `at`. */
static int band_error(const struct jpeg_blocks *blocks, int c, const struct jpeg_band *band,
                      const int16_t *block, size_t at, int usual)
{
    int more;

    if (band->first <= 2)
        return slope_error(blocks, c, block, at);
    more = detail(blocks, c, block, band->first, band->last) -
           detail(blocks, c, blocks->of[c].list[at], 1, band->first - 1) - usual;
    return capped(more * DETAIL / 8);
}

struct jpeg_split jpeg_align_band(const struct jpeg_blocks *blocks, int c,
                                  const struct jpeg_band *band, size_t first, size_t n,
                                  int16_t (*list)[JPEG_BLOCK], size_t read)
{
    const struct jpeg_plane_blocks *of = &blocks->of[c];
    AUTO_FREE int *costs = calloc(2 * n + 1, sizeof *costs);
    int64_t here = 0, there = 0;

    if (!costs || read == 0 || n == 0)
        return (struct jpeg_split){ 0, n, 0 };
    for (size_t i = 0; i < read; i++)
        here += detail(blocks, c, list[i], band->first, band->last);
    for (size_t i = 0; i < n; i++)
        there += detail(blocks, c, of->list[jpeg_blocks_index(of, first + i)], 1, band->first - 1);
    for (size_t i = 0; i < 2 * n; i++) {
        ptrdiff_t place = (ptrdiff_t) (i < n ? i : i - n);
        ptrdiff_t nth = i < n ? place : place - (ptrdiff_t) n + (ptrdiff_t) read;

        costs[i] = nth < 0 || nth >= (ptrdiff_t) read
                       ? UNREAD
                       : band_error(blocks, c, band, list[nth],
                                    jpeg_blocks_index(of, first + (size_t) place),
                                    (int) (here / (int64_t) read - there / (int64_t) n));
    }
    return split(costs, costs + n, n, n > read ? n - read : 0);
}

/* The k-th block of component c of an MCU. */
static size_t block_of(const struct jpeg_blocks *blocks, size_t mcu, int c, size_t k)
{
    const struct jpeg_head *head = blocks->head;
    const struct jpeg_component *component = &head->component[c];
    /* NOLINTBEGIN(clang-analyzer-core.DivideZero): an image that was laid out has MCUs and blocks.
     */
    size_t x = mcu % head->mcus_across, y = mcu / head->mcus_across;

    return (y * component->v + k / component->h) * blocks->of[c].stride + x * component->h +
           k % component->h;
    /* NOLINTEND(clang-analyzer-core.DivideZero) */
}

/* How ill the brightnesses go with the slopes that are known of the MCU's blocks. */
static int levels_error(const struct jpeg_blocks *blocks, size_t mcu,
                        const struct jpeg_levels *here, const struct jpeg_levels *before)
{
    const struct jpeg_head *head = blocks->head;
    const struct jpeg_component *y = &head->component[0];
    int step = head->quantisers[y->quantiser][0], error = 0;

    if (y->h == 1 && before && mcu % head->mcus_across > 0)
        return capped((here->of[0] - before->of[0]) * step +
                      step_of_slopes(value_of(blocks, 0, block_of(blocks, mcu, 0, 0), 1) +
                                     value_of(blocks, 0, block_of(blocks, mcu - 1, 0, 0), 1)));
    for (size_t k = 0; k < (size_t) y->h * y->v; k++) {
        size_t here_k = block_of(blocks, mcu, 0, k);

        if (k % y->h > 0) /* NOLINT(clang-analyzer-core.DivideZero): laid out, as above */
            error += capped((here->of[k] - here->of[k - 1]) * step +
                            step_of_slopes(value_of(blocks, 0, here_k, 1) +
                                           value_of(blocks, 0, here_k - 1, 1)));
        if (k >= y->h)
            error += capped((here->of[k] - here->of[k - y->h]) * step +
                            step_of_slopes(value_of(blocks, 0, here_k, 2) +
                                           value_of(blocks, 0, here_k - blocks->of[0].stride, 2)));
    }
    return error;
}

static int compare_levels(const void *a, const void *b)
{
    const int16_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* How much must be added to the level of the k-th block of a component of an MCU, by the one above.
 */
static int offer(const struct jpeg_blocks *blocks, int c, size_t mcu, size_t k)
{
    size_t here = block_of(blocks, mcu, c, k), above = here - blocks->of[c].stride;
    const struct jpeg_head *head = blocks->head;
    int slope = step_of_slopes(value_of(blocks, c, here, 2) + value_of(blocks, c, above, 2));

    return (value_of(blocks, c, above, 0) - slope - value_of(blocks, c, here, 0)) /
           head->quantisers[head->component[c].quantiser][0];
}

/* How much must be added to a component's levels of the MCUs from `mcu` on, so that they go with
 * the row above. */
static int level_of(const struct jpeg_blocks *blocks, int c, size_t mcu, size_t end)
{
    const struct jpeg_head *head = blocks->head;
    const struct jpeg_component *component = &head->component[c];
    int16_t offers[OFFERS_MAX];
    size_t n = 0, to = mcu + head->mcus_across < end ? mcu + head->mcus_across : end;

    /* Blocks that were filled in are better than none. */
    for (int doubt = 0; doubt <= 1 && n == 0; doubt++)
        for (size_t i = mcu; i < to && i >= head->mcus_across; i++)
            for (size_t k = 0; k < component->h && n < OFFERS_MAX; k++)
                if (blocks->of[c].doubt[block_of(blocks, i, c, k) - blocks->of[c].stride] <= doubt)
                    offers[n++] = (int16_t) offer(blocks, c, i, k);
    qsort(offers, n, sizeof *offers, compare_levels);
    return n ? offers[n / 2] : 0;
}

static void put_levels(struct jpeg_blocks *blocks, size_t mcu, const struct jpeg_levels *levels)
{
    const struct jpeg_head *head = blocks->head;
    size_t k = 0;

    for (int i = 0; i < head->blocks; i++) {
        int c = head->of_block[i];

        k = i > 0 && head->of_block[i - 1] == c ? k + 1 : 0;
        blocks->of[c].list[block_of(blocks, mcu, c, k)][0] = levels->of[i];
    }
}

/* What is left out gets the levels that go with the blocks above. */
static void fill_blocks(struct jpeg_blocks *blocks, size_t from, size_t to)
{
    const struct jpeg_head *head = blocks->head;

    for (size_t mcu = from; mcu < to; mcu++)
        for (int c = 0; c < head->n; c++)
            for (size_t k = 0; k < (size_t) head->component[c].h * head->component[c].v; k++) {
                size_t i = block_of(blocks, mcu, c, k);
                int16_t *block = blocks->of[c].list[i];

                block[0] = 0;
                if (i >= blocks->of[c].stride)
                    block[0] = (int16_t) offer(blocks, c, mcu, k);
                blocks->of[c].doubt[i] = true;
            }
}

/* The levels of a component's blocks in the MCUs from `from` on are too low by the same amount. */
static void raise(struct jpeg_blocks *blocks, int c, size_t from, size_t to, int more)
{
    const struct jpeg_component *component = &blocks->head->component[c];

    for (size_t mcu = from; mcu < to; mcu++)
        for (size_t k = 0; k < (size_t) component->h * component->v; k++) {
            size_t i = block_of(blocks, mcu, c, k);

            blocks->of[c].list[i][0] = (int16_t) (blocks->of[c].list[i][0] + more);
        }
}

/* Of each place, first with the one part there, then with the other. */
static void fill_costs(const struct jpeg_blocks *blocks, size_t first, size_t n,
                       const struct jpeg_level_list *start, const struct jpeg_level_list *end,
                       int *costs)
{
    for (size_t i = 0; i < 2 * n; i++) {
        const struct jpeg_level_list *list = i < n ? start : end;
        ptrdiff_t place = (ptrdiff_t) (i < n ? i : i - n);
        ptrdiff_t nth = i < n ? place : place - (ptrdiff_t) n + (ptrdiff_t) list->n;

        costs[i] = nth < 0 || nth >= (ptrdiff_t) list->n
                       ? UNREAD
                       : levels_error(blocks, first + (size_t) place, &list->list[nth],
                                      nth > 0 && place > 0 ? &list->list[nth - 1] : NULL);
    }
}

struct jpeg_split jpeg_align_levels(const struct jpeg_blocks *blocks, size_t first, size_t n,
                                    const struct jpeg_level_list *start,
                                    const struct jpeg_level_list *end)
{
    AUTO_FREE int *costs = calloc(2 * n + 1, sizeof *costs);

    if (!costs)
        return (struct jpeg_split){ 0, n, INT64_MAX };
    fill_costs(blocks, first, n, start, end, costs);
    /* About as many are missing as the whole reading has fewer. */
    return split(costs, costs + n, n, n > start->n + GAP_FROM ? n - start->n : 0);
}

/* Where the second part begins, searched near by. */
struct near {
    const struct jpeg_blocks *blocks;
    size_t first, n, from, to;
    const struct jpeg_level_list *start, *end;
};

/* How much higher the first block of an MCU should be by the one above it; of each the part is
 * told. */
static int step_up(const struct near *near, size_t place, bool above_at_end, bool at_end)
{
    const struct jpeg_blocks *blocks = near->blocks;
    size_t across = blocks->head->mcus_across, mcu = near->first + place;
    size_t here = block_of(blocks, mcu, 0, 0);
    const struct jpeg_level_list *list = at_end ? near->end : near->start;
    const struct jpeg_level_list *upper = above_at_end ? near->end : near->start;
    size_t nth = place + (at_end ? list->n - near->n : 0);
    size_t above = place - across + (above_at_end ? upper->n - near->n : 0);
    int step = blocks->head->quantisers[blocks->head->component[0].quantiser][0];
    int slope = value_of(blocks, 0, here, 2) + value_of(blocks, 0, here - blocks->of[0].stride, 2);

    if (nth >= list->n || above >= upper->n)
        return UNREAD;
    return (upper->list[above].of[0] - list->list[nth].of[0]) * step - step_of_slopes(slope);
}

/* What a row costs that goes with the one above but for its level. */
static int64_t row_error(const struct near *near, size_t place)
{
    size_t across = near->blocks->head->mcus_across, n = 0;
    int16_t steps[ROW_LOOKS];
    int64_t error = 0;

    for (size_t i = 0; i < ROW_LOOKS; i++) {
        size_t at = place + i * across / ROW_LOOKS;

        if (at < near->n && at >= across)
            steps[n++] = (int16_t) (step_up(near, at, false, true) / 2);
    }
    qsort(steps, n, sizeof *steps, compare_levels);
    for (size_t i = 0; i < n; i++)
        error += capped(2 * (steps[i] - steps[n / 2]));
    return error * (int64_t) across / ROW_LOOKS;
}

/* The costs of all of the MCUs near by: of their steps to the left, which `costs` has, and up. */
static size_t best_near(const struct near *near, const int *costs)
{
    size_t across = near->blocks->head->mcus_across, best = near->from;
    size_t stride = (near->to - near->from) / NEAR_LOOKS + 1;
    int64_t sum = 0, least = INT64_MAX;

    for (size_t i = near->from; i < near->to; i++) {
        sum += costs[near->n + i];
        if (i >= near->from + across)
            sum += capped(step_up(near, i, true, true));
    }
    for (size_t i = near->from; i < near->to; i++) {
        if ((i - near->from) % stride == 0 && sum + row_error(near, i) < least) {
            least = sum + row_error(near, i);
            best = i;
        }
        sum += costs[i] - costs[near->n + i];
        if (i >= across)
            sum += capped(step_up(near, i, false, false));
        if (i + across < near->to)
            sum -= capped(step_up(near, i + across, true, true));
    }
    return best;
}

size_t jpeg_align_near(const struct jpeg_blocks *blocks, size_t first, size_t n,
                       const struct jpeg_level_list *start, const struct jpeg_level_list *end,
                       size_t place)
{
    size_t rows = NEAR_ROWS * blocks->head->mcus_across;
    struct near near = { blocks, first, n, place > rows ? place - rows : 0, n, start, end };
    AUTO_FREE int *costs = calloc(2 * n + 1, sizeof *costs);

    near.to = place + rows < n ? place + rows : n;
    if (first > 0 || !costs || near.from >= near.to)
        return place;
    fill_costs(blocks, first, n, start, end, costs);
    return best_near(&near, costs);
}

/* How ill blocks go with those above, all together. */
static int64_t unevenness(const struct jpeg_blocks *blocks, size_t first, size_t n)
{
    const struct jpeg_head *head = blocks->head;
    int64_t sum = 0;

    for (int c = 0; c < head->n; c++)
        for (size_t mcu = first; mcu < first + n; mcu++)
            if (mcu >= head->mcus_across)
                sum += capped(offer(blocks, c, mcu, 0) *
                              head->quantisers[head->component[c].quantiser][0]);
    return sum;
}

void jpeg_align_put_levels(struct jpeg_blocks *blocks, size_t first, size_t n,
                           const struct jpeg_level_list *start, const struct jpeg_level_list *end,
                           struct jpeg_split parts)
{
    size_t from = parts.before > MARGIN ? parts.before - MARGIN : 0;
    size_t to = parts.after + MARGIN < n ? parts.after + MARGIN : n;
    int64_t before = unevenness(blocks, first, n);

    for (size_t i = 0; i < from; i++)
        put_levels(blocks, first + i, &start->list[i]);
    fill_blocks(blocks, first + from, first + to);
    for (size_t i = to; i < n; i++)
        put_levels(blocks, first + i, &end->list[i + end->n - n]);
    for (int c = 0; c < blocks->head->n; c++)
        raise(blocks, c, first + to, first + n, level_of(blocks, c, first + to, first + n));
    if (unevenness(blocks, first, n) > before)
        for (size_t i = 0; i < n && i < start->n; i++)
            put_levels(blocks, first + i, &start->list[i]);
}
