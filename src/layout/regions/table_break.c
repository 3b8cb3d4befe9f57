#include "layout/regions/table_break.h"

#include <math.h>

#define LEVEL   1.5F          /* points between edges that are at one place, at most */
#define LOOKED  4             /* rows below the name that are looked at */
#define APART   ((size_t) 12) /* rows above it that are looked at */
#define NAMED   1.3F          /* sizes: from the row above to the name, at least */
#define FURTHER 1.9F          /* the same, if it is not bold */
#define LARGER  1.08F         /* times the size of the row above */
#define OTHER   2             /* of N cells below, less than one is aligned */
#define COLUMNS 4             /* of a table of one record, at least */

static bool is_level(const struct segment *a, const struct segment *b)
{
    return fabsf(a->x0 - b->x0) < LEVEL || fabsf(a->x1 - b->x1) < LEVEL ||
           fabsf(a->x0 + a->x1 - b->x0 - b->x1) < 2 * LEVEL || fabsf(a->point - b->point) < LEVEL;
}

/* Whether a cell of the last rows of the region is aligned with a segment. */
static bool has_column(const struct search *search, const struct region *region,
                       const struct segment *segment)
{
    size_t from = region->to - region->from > APART ? region->to - APART : region->from;

    for (size_t r = from; r < region->to; r++)
        for (size_t i = 1; i < search->rows.items[r].n; i++)
            if (is_level(&search->rows.items[r].segments[i], segment))
                return true;
    return false;
}

/* Whether a row stands out from the one above it: it is bold or larger, or further below. */
static bool is_name(const struct row *row)
{
    const struct line *line = &row->line, *above = &row[-1].line;

    return row->n == 1 && line->base - above->base > NAMED * line->size &&
           (line->bold ? !above->bold || line->size > LARGER * above->size
                       : line->base - above->base > FURTHER * line->size);
}

bool table_break_is(const struct search *search, const struct region *region, size_t row)
{
    size_t cells = 0, aligned = 0, looked = 0;

    if (!is_name(&search->rows.items[row]))
        return false;
    for (size_t r = row + 1; r < search->rows.n && looked < LOOKED; r++) {
        const struct row *below = &search->rows.items[r];

        if (below->used || below->n < 2)
            break;
        looked++;
        for (size_t i = 1; i < below->n; i++, cells++)
            aligned += has_column(search, region, &below->segments[i]);
    }
    return looked > 1 && aligned * OTHER < cells;
}

bool table_break_is_record(const struct search *search, const struct region *region)
{
    const struct row *heads = &search->rows.items[region->from], *values = heads + 1;
    size_t n = 0;

    if (region->to - region->from != 2 || heads->n < COLUMNS || heads->n != values->n)
        return false;
    for (size_t i = 0; i < heads->n; i++) {
        if (heads->segments[i].value || !is_level(&heads->segments[i], &values->segments[i]))
            return false;
        n += values->segments[i].value;
    }
    return n * 2 > heads->n;
}
