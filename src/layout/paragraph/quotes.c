#include "layout/paragraph/quotes.h"

#include <math.h>

#include "layout/page/sentence.h"

/* Whether the next line's first word has no place before `right`. */
static bool is_full(const struct line *line, const struct line *next, float right)
{
    return words_first_width(next) + 0.25F * line->size >=
           right - line->area.x1 - 0.35F * line->size;
}

/* How many lines from the first on are one below the other at the same distance. */
static size_t block_length(const struct line *lines, size_t n)
{
    size_t i = 1;
    float gap = n > 1 ? lines[1].base - lines[0].base : 0;

    while (i < n && fabsf(lines[i].area.x0 - lines[0].area.x0) < 1 &&
           fabsf(lines[i].size - lines[0].size) < 0.08F * lines[0].size &&
           fabsf(lines[i].base - lines[i - 1].base - gap) < 0.1F * gap)
        i++;
    return i;
}

/* A quotation is indented on the right, too: where its lines end is where its own are full. */
static void study_block(struct joins *joins, const struct flow *flow, const struct line *lines,
                        size_t n)
{
    float right = 0, left = lines[0].area.x0;
    size_t full = 0, small = 0, from = (size_t) (lines - joins->first);

    for (size_t i = 0; i < n; i++)
        right = fmaxf(right, lines[i].area.x1);
    if (n < 3 || left < flow->column.x0 + 0.8F * lines[0].size ||
        right > joins->right - 0.8F * lines[0].size ||
        right - left < 0.4F * (flow->column.x1 - flow->column.x0))
        return;
    for (size_t i = 0; i + 1 < n; i++)
        if (is_full(&lines[i], &lines[i + 1], right)) {
            full++;
            small += sentence_runs_on(&lines[i], &lines[i + 1]);
        }
    if (full < 2 || full * 4 < (n - 1) * 3 || small * 2 < full)
        return;
    for (size_t i = 0; i < n; i++)
        joins->rights[from + i] = right;
}

void quotes_study(struct joins *joins, const struct flow *flow, const struct line_list *lines)
{
    joins->first = lines->items;
    joins->rights = ARENA_ARRAY(flow->arena, float, lines->n);
    for (size_t i = 0; i < lines->n; i++)
        joins->rights[i] = joins->right;
    for (size_t i = 0, n; i < lines->n && !flow->in_cell; i += n) {
        n = block_length(&lines->items[i], lines->n - i);
        study_block(joins, flow, &lines->items[i], n);
    }
}
