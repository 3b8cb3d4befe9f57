#include "recovery/image_repair/jpeg_phase.h"

#include <stdlib.h>

#include "base/scope.h"

#define REST 4U /* MCUs that damage makes more than there were */

#define STEP_MAX 60 /* levels of a sample: an edge counts once */

static bool is_alike(const struct jpeg_head *head)
{
    if (head->n < 2 || head->blocks != head->n)
        return false;
    for (int i = 1; i < head->n; i++)
        if (head->component[i].dc != head->component[0].dc ||
            head->component[i].ac != head->component[0].ac)
            return false;
    return true;
}

bool jpeg_phase_skip(const struct jpeg_head *head, struct jpeg_bits *bits, size_t blocks)
{
    AUTO_FREE struct jpeg_head *one = malloc(sizeof *one);
    int dc[JPEG_COMPONENTS] = { 0 };
    struct jpeg_mcu mcu;

    if (!one)
        return false;
    *one = *head;
    one->n = one->blocks = 1;
    one->of_block[0] = 0;
    for (size_t i = 0; i < blocks; i++)
        if (!jpeg_scan_mcu(one, bits, dc, false, &mcu) || bits->at > bits->n)
            return false;
    return true;
}

size_t jpeg_phase_rest(const struct jpeg_head *head, const struct jpeg_bits *bits)
{
    if (!is_alike(head) || jpeg_scan_at_end(bits))
        return 0;
    for (size_t rest = 1; rest < REST * (size_t) head->n; rest++) {
        struct jpeg_bits at = *bits;

        if (!jpeg_phase_skip(head, &at, rest))
            return 0;
        if (jpeg_scan_at_end(&at))
            return rest % (size_t) head->n;
    }
    return 0;
}

/* How badly an MCU, which is not the first one read, goes with the one above, by the steps from one
 * sample to the next of all that is known. */
static int64_t error_of(const struct jpeg_plane *plane, const struct jpeg_mcu *mcu,
                        const struct jpeg_mcu *above)
{
    int64_t error = jpeg_place_step_error(mcu, above[-1].bottom, above->bottom);

    for (int c = 0; c < JPEG_INKS && plane->ink_bottom; c++)
        for (int x = 0; x < JPEG_EDGE; x++) {
            int before = x ? mcu->ink_top[c][x - 1] : mcu[-1].ink_top[c][JPEG_EDGE - 1];
            int left = x ? above->ink_bottom[c][x - 1] : above[-1].ink_bottom[c][JPEG_EDGE - 1];
            int differs = abs(mcu->ink_top[c][x] - before - above->ink_bottom[c][x] + left);

            error += differs < STEP_MAX ? differs : STEP_MAX;
        }
    return error;
}

size_t jpeg_phase_split(const struct jpeg_plane *plane, size_t before, size_t n_before, size_t end,
                        size_t n_after, size_t n, size_t gap)
{
    const struct jpeg_mcu *a = plane->list + before, *b = plane->list + end;
    size_t across = plane->head->mcus_across, best = 0, from = n - n_after + 1;
    AUTO_FREE int64_t *sums = calloc(n + 1, sizeof *sums);
    int64_t least = 0;

    if (!sums || n_after > n || across < 2 || gap >= across || n < across)
        return 0;
    /* sums[j]: by how much MCUs before j, those of after the damage, go better with the row above
     */
    for (size_t j = 0; j < n; j++) {
        sums[j + 1] = sums[j];
        if (j > across && j >= from && j < n_before)
            sums[j + 1] += error_of(plane, b - (n - j), a + j - across) -
                           error_of(plane, a + j, a + j - across);
    }
    for (size_t x = 1; x + gap < n && x <= n_before; x++) {
        size_t to = x + across < n ? x + across : n;

        if (sums[to] - sums[x + gap] < least) {
            least = sums[to] - sums[x + gap];
            best = x;
        }
    }
    return best;
}
