#include "image/coverage_row.h"

#include <stdlib.h>
#include <string.h>

/* A line may stand at the end of the last pixel, and coverage_row_sum takes four at a time. */
#define SPARE 6

bool coverage_row_begin(struct coverage_row *row, size_t pixels)
{
    coverage_row_clear(row);
    if (pixels + SPARE <= row->cap)
        return true;
    coverage_row_free(row);
    row->changes = calloc(pixels + SPARE, sizeof *row->changes);
    row->covered = malloc(pixels + SPARE);
    row->cap = row->changes && row->covered ? pixels + SPARE : 0;
    return row->cap > 0;
}

void coverage_row_free(struct coverage_row *row)
{
    free(row->changes);
    free(row->covered);
    row->changes = NULL;
    row->covered = NULL;
    row->cap = 0;
}

/* `steps`: from the left of that pixel, of all lines together. */
static inline void change(struct coverage_row *row, unsigned pixel, int lines, int steps, int sign)
{
    int16_t *changes = row->changes + pixel;

    changes[0] = (int16_t) (changes[0] + sign * (COVERAGE_ACROSS * lines - steps));
    changes[1] = (int16_t) (changes[1] + sign * steps);
}

static void reach(struct coverage_row *row, int from, int to)
{
    row->low = from < row->low ? from : row->low;
    row->high = to + 1 > row->high ? to + 1 : row->high;
}

void coverage_row_bound(struct coverage_row *row, const int *x, int left, int lines, int sign)
{
    unsigned first = (unsigned) (x[0] - left) / COVERAGE_ACROSS;
    unsigned last = (unsigned) (x[lines - 1] - left) / COVERAGE_ACROSS;
    unsigned pixel = first;
    int many = 0, steps = 0;

    reach(row, (int) (first < last ? first : last), (int) (first < last ? last : first));
    if (first == last) {
        for (int i = 0; i < lines; i++)
            steps += x[i] - left;
        change(row, first, lines, steps - lines * (int) first * COVERAGE_ACROSS, sign);
        return;
    }
    for (int i = 0; i < lines; i++) {
        unsigned step = (unsigned) (x[i] - left), at = step / COVERAGE_ACROSS;

        if (at != pixel) {
            change(row, pixel, many, steps, sign);
            many = steps = 0;
            pixel = at;
        }
        many++;
        steps += (int) (step - at * COVERAGE_ACROSS);
    }
    change(row, pixel, many, steps, sign);
}

void coverage_row_sum(struct coverage_row *row)
{
    int16_t *changes = row->changes;
    uint8_t *covered = row->covered;
    int sum = 0, i = row->low;

    while (i < row->high) {
        uint64_t four;

        memcpy(&four, changes + i, sizeof four);
        if (four == 0) {
            memset(covered + i, sum, 4);
            i += 4;
            continue;
        }
        for (int end = i + 4; i < end; i++) {
            sum += changes[i];
            covered[i] = (uint8_t) sum;
        }
    }
    memset(changes + row->low, 0, (size_t) (row->high + 1 - row->low) * sizeof *changes);
}
