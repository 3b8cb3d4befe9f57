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
    row->bounds = calloc(pixels + SPARE, sizeof *row->bounds);
    row->covered = malloc(pixels + SPARE);
    row->cap = row->bounds && row->covered ? pixels + SPARE : 0;
    return row->cap > 0;
}

void coverage_row_free(struct coverage_row *row)
{
    free(row->bounds);
    free(row->covered);
    row->bounds = NULL;
    row->covered = NULL;
    row->cap = 0;
}

void coverage_row_sum(struct coverage_row *row)
{
    uint32_t *bounds = row->bounds;
    uint8_t *covered = row->covered;
    int sum = 0, rest = 0, i = row->low;

    while (i < row->high) {
        uint64_t four[2];

        memcpy(four, bounds + i, sizeof four);
        if ((four[0] | four[1]) == 0 && rest == 0) {
            memset(covered + i, sum, 4);
            i += 4;
            continue;
        }
        for (int end = i + 4; i < end; i++) {
            int steps = coverage_steps_of(bounds[i]);

            sum += COVERAGE_ACROSS * coverage_lines_of(bounds[i]) - steps + rest;
            rest = steps;
            covered[i] = (uint8_t) sum;
        }
    }
    memset(bounds + row->low, 0, (size_t) (row->high - row->low) * sizeof *bounds);
}
