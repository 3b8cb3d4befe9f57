#include "recovery/image_repair/jpeg_place.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define STEP_MAX      60  /* levels of a sample */
#define LEVEL_MAX     400 /* of an edge's samples together */
#define UNEVEN        40  /* of an edge's samples: of the brightness that damage makes */
#define UNEVEN_SIDE   3UL /* MCUs on each side of where a row ends */
#define ROW_ERROR_MAX 400 /* of an MCU */
#define JUMPS         64  /* places looked at where damage may be */
#define MISSING_ROWS  4   /* that damage may have made of one MCU */
#define COMPARED      512 /* MCUs of a run, to find its place */
#define TRIM_AFTER                                                                                 \
    64U /* MCUs read wrongly until damage shows, and until reading is in step again */
#define TRIM_BEFORE 12U
#define USUAL       256U /* MCUs that tell how well rows go with each other */
#define SMALL_GAP   3U   /* rows */

bool jpeg_plane_make(struct jpeg_plane *plane, const struct jpeg_head *head)
{
    plane->head = head;
    plane->mean = calloc(head->mcus, sizeof *plane->mean);
    plane->bottom = calloc(head->mcus, sizeof *plane->bottom);
    plane->known = calloc(head->mcus, sizeof *plane->known);
    if (head->n == JPEG_COMPONENTS &&
        !(plane->ink_bottom = calloc(head->mcus, sizeof *plane->ink_bottom)))
        return false;
    return plane->mean && plane->bottom && plane->known;
}

void jpeg_plane_free(struct jpeg_plane *plane)
{
    free(plane->mean);
    free(plane->bottom);
    free(plane->ink_bottom);
    free(plane->known);
}

int64_t jpeg_place_step_error(const struct jpeg_mcu *mcu, const int16_t *left_above,
                              const int16_t *above)
{
    int64_t error = 0;

    for (int x = 0; x < JPEG_EDGE; x++) {
        int step = mcu->top[x] - (x ? mcu->top[x - 1] : mcu[-1].top[JPEG_EDGE - 1]);
        int step_above = above[x] - (x ? above[x - 1] : left_above[JPEG_EDGE - 1]);
        int differs = abs(step - step_above);

        error += differs < STEP_MAX ? differs : STEP_MAX; /* an edge counts once */
    }
    return error;
}

/* How much brighter an MCU is than the one above it, or more of a colour: eight times, in levels.
 * The first component by the samples where they meet. */
static int64_t level_error(const struct jpeg_head *head, const struct jpeg_mcu *mcu,
                           const struct jpeg_mcu *above, int c)
{
    int64_t sum = 0;

    for (int x = 0; c == 0 && x < JPEG_EDGE; x++)
        sum += mcu->top[x] - above->bottom[x];
    if (c > 0)
        sum = (int64_t) (mcu->mean[c] - above->mean[c]) * head->step[head->component[c].quantiser];
    return sum < -LEVEL_MAX ? -LEVEL_MAX : sum > LEVEL_MAX ? LEVEL_MAX : sum;
}

/* No MCU is missing: a component's level alone changed. Where the row after differs most from the
 * one before; *most: by how much, all of the row together. */
static size_t split_by_level(const struct jpeg_plane *plane, const struct jpeg_run *run, int c,
                             int64_t *most)
{
    const struct jpeg_mcu *mcu = plane->list + run->first;
    size_t across = plane->head->mcus_across, best = 0;
    int64_t sum = 0;

    *most = 0;
    for (size_t i = across; i < run->n; i++) {
        sum += level_error(plane->head, mcu + i, mcu + i - across, c);
        if (i >= 2 * across)
            sum -= level_error(plane->head, mcu + i - across, mcu + i - 2 * across, c);
        if (i + 1 >= 2 * across && llabs(sum) > *most) {
            *most = llabs(sum);
            best = i + 1 - across;
        }
    }
    return best;
}

/* Where the step to the row above goes better if MCUs are missing before, for as long as a row is.
 */
static size_t split_by_steps(const struct jpeg_plane *plane, const struct jpeg_run *run,
                             ptrdiff_t missing)
{
    const struct jpeg_mcu *mcu = plane->list + run->first;
    ptrdiff_t across = (ptrdiff_t) plane->head->mcus_across, n = (ptrdiff_t) run->n;
    ptrdiff_t window = across - missing, best = 0;
    AUTO_FREE int64_t *sums = calloc(run->n + 1, sizeof *sums);
    int64_t least = 0;

    if (window < 1 || across < 2 || n < 2 || !sums)
        return 0;
    /* sums[i]: of what the MCUs before i go worse with the row above if the damage is before them
     */
    for (ptrdiff_t i = 1; i < n; i++) {
        ptrdiff_t before = i - across, after = i + missing - across;

        sums[i + 1] = sums[i];
        if (before >= 1 && after >= 1 && after < n)
            sums[i + 1] +=
                jpeg_place_step_error(mcu + i, mcu[after - 1].bottom, mcu[after].bottom) -
                jpeg_place_step_error(mcu + i, mcu[before - 1].bottom, mcu[before].bottom);
    }
    for (ptrdiff_t x = n - 1; x > 0; x--) {
        ptrdiff_t to = x + window < n ? x + window : n;

        if (sums[to] - sums[x] < least) {
            least = sums[to] - sums[x];
            best = x;
        }
    }
    return (size_t) best;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *) a - *(const int *) b;
}

/* How much brighter the MCU above is than this one, in DC coefficients: by the samples where they
 * meet for the first component. */
static int difference(const struct jpeg_head *head, int c, const struct jpeg_mcu *mcu,
                      const int16_t *bottom_above, const int16_t *mean_above)
{
    int step = head->step[head->component[c].quantiser], sum = 0;

    if (c > 0)
        return mean_above[c] - mcu->mean[c];
    for (int x = 0; x < JPEG_EDGE; x++)
        sum += bottom_above[x] - mcu->top[x];
    return (sum + (sum < 0 ? -step : step) / 2) / step; /* 8 samples, 8 levels */
}

/* How badly an MCU goes with the one above if its DC coefficients are changed so. */
static int64_t row_error(const struct jpeg_head *head, const struct jpeg_mcu *mcu,
                         const int shift[JPEG_COMPONENTS], const int16_t *bottom_above,
                         const int16_t *mean_above)
{
    int64_t error = 0;

    for (int c = 0; c < head->n; c++) {
        int step = head->step[head->component[c].quantiser];

        if (c > 0)
            error += (int64_t) abs(mcu->mean[c] + shift[c] - mean_above[c]) * step;
        for (int x = 0; c == 0 && x < JPEG_EDGE; x++)
            error += abs(mcu->top[x] + shift[0] * step / 8 - bottom_above[x]);
    }
    return error;
}

/* How much worse the rows go with each other if the damage is before MCU x than if there were none.
 */
static int64_t split_error(const struct jpeg_plane *plane, const struct jpeg_run *run,
                           ptrdiff_t missing, ptrdiff_t x, int *room)
{
    static const int none[JPEG_COMPONENTS];
    const struct jpeg_mcu *mcu = plane->list + run->first;
    ptrdiff_t across = (ptrdiff_t) plane->head->mcus_across, n = (ptrdiff_t) run->n;
    ptrdiff_t to = x + across - missing < n ? x + across - missing : n;
    int shift[JPEG_COMPONENTS] = { 0 };
    int64_t sum = 0;

    for (int c = 0; c < plane->head->n; c++) {
        int count = 0;

        for (ptrdiff_t i = x; i < to; i++)
            if (i + missing >= across && i + missing - across < n)
                room[count++] =
                    difference(plane->head, c, mcu + i, mcu[i + missing - across].bottom,
                               mcu[i + missing - across].mean);
        if (count == 0)
            return 0;
        qsort(room, (size_t) count, sizeof *room, by_value);
        shift[c] = room[count / 2];
    }
    for (ptrdiff_t i = x; i < to; i++) {
        ptrdiff_t before = i - across, after = i + missing - across;
        int64_t with, without;

        if (before < 0 || after < 0 || after >= n)
            continue;
        with = row_error(plane->head, mcu + i, shift, mcu[after].bottom, mcu[after].mean);
        without = row_error(plane->head, mcu + i, none, mcu[before].bottom, mcu[before].mean);
        sum += (with < ROW_ERROR_MAX ? with : ROW_ERROR_MAX) -
               (without < ROW_ERROR_MAX ? without : ROW_ERROR_MAX);
    }
    return sum;
}

/* The MCUs at which the brightness changes most, other than in the row above. */
static size_t find_jumps(const struct jpeg_plane *plane, const struct jpeg_run *run,
                         size_t found[static JUMPS])
{
    const struct jpeg_mcu *mcu = plane->list + run->first;
    size_t across = plane->head->mcus_across, n = 0;
    int64_t sizes[JUMPS];

    for (size_t i = across + 1; i < run->n; i++) {
        int64_t size = 0;
        size_t k = n < JUMPS ? n++ : JUMPS;

        for (int c = 0; c < plane->head->n; c++)
            size += llabs(level_error(plane->head, mcu + i, mcu + i - across, c) -
                          level_error(plane->head, mcu + i - 1, mcu + i - across - 1, c));
        if (k == JUMPS && size <= sizes[JUMPS - 1])
            continue;
        for (k -= k == JUMPS; k > 0 && sizes[k - 1] < size; k--) {
            sizes[k] = sizes[k - 1];
            found[k] = found[k - 1];
        }
        sizes[k] = size;
        found[k] = i;
    }
    return n;
}

size_t jpeg_place_split(const struct jpeg_plane *plane, const struct jpeg_run *run,
                        ptrdiff_t missing)
{
    size_t at[JUMPS + JPEG_COMPONENTS], n = find_jumps(plane, run, at), best = 0;
    ptrdiff_t across = (ptrdiff_t) plane->head->mcus_across;
    AUTO_FREE int *room = missing < across && missing > -MISSING_ROWS * across
                              ? calloc((size_t) (across - missing), sizeof *room)
                              : NULL;
    int64_t least = INT64_MAX, most;

    if (!room)
        return 0;
    if (missing)
        at[n++] = split_by_steps(plane, run, missing);
    for (int c = 0; missing == 0 && c < plane->head->n; c++)
        at[n++] = split_by_level(plane, run, c, &most);
    for (size_t i = 0; i < n; i++) {
        int64_t error = split_error(plane, run, missing, (ptrdiff_t) at[i], room);

        if (error < least) {
            least = error;
            best = at[i];
        }
    }
    return best;
}

static bool is_uneven(const struct jpeg_plane *plane, const struct jpeg_run *run, int c)
{
    const struct jpeg_mcu *mcu = plane->list + run->first;
    int64_t parts[2] = { 0 }, n[2] = { 0 }, most;
    size_t across = plane->head->mcus_across, x = split_by_level(plane, run, c, &most);
    size_t wrap = across - x % across;

    if (across < 3 * UNEVEN_SIDE || wrap < UNEVEN_SIDE || wrap > across - UNEVEN_SIDE ||
        x < across || x + across > run->n)
        return false;
    for (size_t i = x; i < x + across; i++) {
        bool after = i - x >= wrap;

        parts[after] += level_error(plane->head, mcu + i, mcu + i - across, c);
        n[after]++;
    }
    if (n[0] == 0 || n[1] == 0)
        return false;
    parts[0] /= n[0];
    parts[1] /= n[1];
    return llabs(parts[0]) > UNEVEN && llabs(parts[1]) > UNEVEN &&
           (parts[0] > 0) == (parts[1] > 0) &&
           llabs(parts[0] - parts[1]) < llabs(parts[0] + parts[1]) / 4;
}

bool jpeg_place_is_uneven(const struct jpeg_plane *plane, const struct jpeg_run *run)
{
    bool uneven = false;
    int n = plane->head->n == 3 ? 3 : 1; /* colour differences are even, inks are not */

    for (int c = 0; c < n && !uneven; c++)
        uneven = is_uneven(plane, run, c);
    return uneven;
}

void jpeg_place_find(const struct jpeg_plane *plane, struct jpeg_run *run, size_t low, size_t high,
                     size_t *effort)
{
    const struct jpeg_mcu *mcu = plane->list + run->first;
    size_t across = plane->head->mcus_across, n = run->n < COMPARED ? run->n : COMPARED;
    int64_t least = INT64_MAX;

    run->at = low;
    for (size_t at = low; at <= high && *effort > n; at++) {
        int64_t sum = 0, compared = 0;

        *effort -= n;
        for (size_t i = 1; i < n; i++) {
            size_t above = at + i - across;

            if (at + i < across + 1 || above >= plane->head->mcus || !plane->known[above] ||
                !plane->known[above - 1])
                continue;
            sum += jpeg_place_step_error(mcu + i, plane->bottom[above - 1], plane->bottom[above]);
            compared++;
        }
        if (compared > 0 && sum * (int64_t) n / compared < least) {
            least = sum * (int64_t) n / compared;
            run->at = at;
        }
    }
}

/* By how much the i-th MCU of a run is likely brighter than the one above, as rows near it are. */
static int trend(const struct jpeg_plane *plane, const struct jpeg_run *run, int c, size_t i)
{
    const struct jpeg_mcu *mcu = plane->list + run->first + i;
    size_t across = plane->head->mcus_across, above = run->at + i - across;
    int sum = 0, n = 0;

    if (above >= across && plane->known[above - across]) {
        sum += plane->mean[above][c] - plane->mean[above - across][c];
        n++;
    }
    if (i + across < run->n) {
        sum += mcu[across].mean[c] - mcu[0].mean[c];
        n++;
    }
    return n ? sum / n : 0;
}

/* By how much the image is brighter than the run, in DC coefficients, by the median. False: there
 * is nothing above. */
static bool find_shift(const struct jpeg_plane *plane, struct jpeg_run *run, int c, int *room)
{
    const struct jpeg_mcu *mcu = plane->list + run->first;
    size_t across = plane->head->mcus_across, most = run->n < across ? run->n : across, n = 0;
    int step = plane->head->step[plane->head->component[c].quantiser], median;
    bool by_edge = c == 0 || plane->ink_bottom;

    for (size_t i = 0; i < most; i++) {
        size_t above = run->at + i - across;

        if (run->at + i < across || !plane->known[above])
            continue;
        for (int x = 0; by_edge && x < JPEG_EDGE; x++)
            room[n++] = c ? plane->ink_bottom[above][c - 1][x] - mcu[i].ink_top[c - 1][x]
                          : plane->bottom[above][x] - mcu[i].top[x];
        if (!by_edge)
            room[n++] = plane->mean[above][c] - mcu[i].mean[c] + trend(plane, run, c, i);
    }
    if (n == 0)
        return false;
    qsort(room, n, sizeof *room, by_value);
    median = room[n / 2];
    run->shift[c] = !by_edge ? median : (8 * median + (median < 0 ? -step : step) / 2) / step;
    return true;
}

void jpeg_place_level(const struct jpeg_plane *plane, struct jpeg_run *run)
{
    const struct jpeg_mcu *mcu = plane->list + run->first;
    AUTO_FREE int *room = calloc(plane->head->mcus_across * JPEG_EDGE, sizeof *room);

    for (int c = 0; room && c < plane->head->n; c++)
        if (!find_shift(plane, run, c, room) && run->at > 0 && plane->known[run->at - 1])
            run->shift[c] = plane->mean[run->at - 1][c] - mcu[0].mean[c];
}

/* How badly the i-th MCU of a run goes with the image. */
static int64_t misfit(const struct jpeg_plane *plane, const struct jpeg_run *run, size_t i)
{
    const struct jpeg_head *head = plane->head;
    const struct jpeg_mcu *mcu = plane->list + run->first + i;
    size_t across = head->mcus_across, at = run->at + i;
    int64_t error = 0;

    if (at >= across && plane->known[at - across])
        return row_error(head, mcu, run->shift, plane->bottom[at - across],
                         plane->mean[at - across]);
    for (int c = 0; c < head->n && i > 0; c++)
        error += (int64_t) abs(mcu->mean[c] - mcu[-1].mean[c]) *
                 head->step[head->component[c].quantiser];
    return error;
}

/* What is usual in a part of the run, three times and a bit: what is above that does not fit. */
static int64_t tolerance(const struct jpeg_plane *plane, const struct jpeg_run *run, size_t from,
                         size_t to)
{
    int64_t sum = 0;

    for (size_t i = from; i < to; i++) {
        int64_t error = misfit(plane, run, i);

        sum += error < 800 ? error : 800;
    }
    return (to > from ? 3 * sum / (int64_t) (to - from) : 0) + 100;
}

static void forget(struct jpeg_plane *plane, size_t at, size_t n)
{
    memset(plane->known + at, 0, n);
    memset(plane->mean + at, 0, n * sizeof *plane->mean);
}

void jpeg_place_trim(struct jpeg_plane *plane, struct jpeg_run *run)
{
    size_t edge = run->n / 2 < TRIM_AFTER ? run->n / 2 : TRIM_AFTER, cut = 0, from;
    int64_t limit, sum = 0, most = 0;

    if (run->cut_after) {
        from = run->n - edge > USUAL ? run->n - edge - USUAL : 0;
        limit = tolerance(plane, run, from, run->n - edge);
        for (size_t k = 1; k <= edge; k++) {
            sum += misfit(plane, run, run->n - k) - limit;
            if (sum > most) {
                most = sum;
                cut = k;
            }
        }
        run->n -= cut;
        forget(plane, run->at + run->n, cut);
    }
    edge = run->n / 2 < TRIM_BEFORE ? run->n / 2 : TRIM_BEFORE;
    if (run->cut_before) {
        from = run->n < USUAL ? run->n : USUAL;
        limit = tolerance(plane, run, edge, from);
        sum = most = 0;
        cut = 0;
        for (size_t k = 0; k < edge; k++) {
            sum += misfit(plane, run, k) - limit;
            if (sum > most) {
                most = sum;
                cut = k + 1;
            }
        }
        forget(plane, run->at, cut);
        run->first += cut;
        run->n -= cut;
        run->at += cut;
    }
}

static void put_inks(struct jpeg_plane *plane, const struct jpeg_run *run, size_t i)
{
    const struct jpeg_mcu *mcu = &plane->list[run->first + i];

    for (int c = 1; c < JPEG_COMPONENTS; c++) {
        int step = plane->head->step[plane->head->component[c].quantiser];

        for (int x = 0; x < JPEG_EDGE; x++)
            plane->ink_bottom[run->at + i][c - 1][x] =
                (int16_t) (mcu->ink_bottom[c - 1][x] + run->shift[c] * step / 8);
    }
}

void jpeg_place_put(struct jpeg_plane *plane, const struct jpeg_run *run)
{
    int step = plane->head->step[plane->head->component[0].quantiser];

    for (size_t i = 0; i < run->n; i++) {
        for (int c = 0; c < plane->head->n; c++)
            plane->mean[run->at + i][c] =
                (int16_t) (plane->list[run->first + i].mean[c] + run->shift[c]);
        for (int x = 0; x < JPEG_EDGE; x++)
            plane->bottom[run->at + i][x] =
                (int16_t) (plane->list[run->first + i].bottom[x] + run->shift[0] * step / 8);
        if (plane->ink_bottom)
            put_inks(plane, run, i);
        plane->known[run->at + i] = true;
    }
}

void jpeg_place_conceal(struct jpeg_plane *plane, size_t from, size_t to)
{
    size_t across = plane->head->mcus_across;

    for (size_t at = from; at < to && to - from <= SMALL_GAP * across; at++) {
        const int16_t *like = at >= across ? plane->mean[at - across]
                              : at > 0     ? plane->mean[at - 1]
                                           : NULL;

        if (like)
            memcpy(plane->mean[at], like, sizeof plane->mean[at]);
    }
}
