#include "layout/columns/column_tail.h"

#include <math.h>

#define FAR 1.5F /* sizes of white above a text that goes on below columns, at least */
#define NEAR                                                                                       \
    0.7F /* likewise, if no white of the left column is as high, and columns end together */
#define LONE  2.0F  /* likewise, if the left column went on when the others had ended */
#define MORE  1.3F  /* times the white between paragraphs of that column, at least */
#define NOTE  0.92F /* times the size of the text: notes are smaller */
#define LEVEL 1.6F  /* sizes: columns end at one height, if they differ by no more */

static size_t column_of(const struct item *item, const struct column *gutter, size_t n_gutters)
{
    size_t k = 0;

    while (k < n_gutters && item->area.x0 > gutter[k].x0)
        k++;
    return k;
}

/* The first of the lines at the end that are in the first column, or as far left as that; n: none
 * are. */
static size_t find_left(const struct item *items, size_t n, const struct column *gutter)
{
    while (n > 0 && items[n - 1].line && items[n - 1].area.x0 <= gutter->x0)
        n--;
    return n;
}

/* Whether the left column does not go on with a line in the size of its text: there is white above
 * it, and more than between the column's own paragraphs if that is little or if it is longer than
 * the others anyway. `end`, `others`: where it ends, and where they do; `text`: the size. */
static bool is_apart(const struct item *item, float end, float others, float white, float text)
{
    float size = item->line->size, gap = item->area.y0 - end;
    bool more = gap > MORE * white;

    if (item->area.y0 <= others || size < NOTE * text)
        return false;
    return others > end - LEVEL * size ? gap > FAR * size || (more && gap > NEAR * size)
                                       : more && item->area.y0 - fmaxf(end, others) > LONE * size;
}

size_t column_tail_before(const struct item *items, size_t n, const struct column *gutter,
                          size_t n_gutters)
{
    float end = -INFINITY, others = -INFINITY, white = 0; /* of the first column, and the others */
    float size = 0;                                       /* of the last line in the first one */
    size_t tail = find_left(items, n, gutter);

    for (size_t i = 0; i < n; i++) {
        const struct area *area = &items[i].area;
        bool first = column_of(&items[i], gutter, n_gutters) == 0;

        if (i >= tail && isfinite(end) && isfinite(others) &&
            is_apart(&items[i], end, others, white, size))
            return i;
        if (first && isfinite(end))
            white = fmaxf(white, area->y0 - end);
        if (first && items[i].line)
            size = items[i].line->size;
        if (first)
            end = fmaxf(end, area->y1);
        else
            others = fmaxf(others, area->y1);
    }
    return n;
}
