/*
 * region: rows that are better explained as a table than as text.
 *
 * The criterion is description length (Rissanen 1978): how many bits it takes to say where the
 * segments of the rows stand, once as text and once as cells of a table. As text each segment after
 * a wide gap begins at a place of its own, and so does a row that does not begin below the one
 * before. A table says once where each column is aligned; then a cell that is aligned with its
 * column costs a bit, as an empty one does, and one that is not aligned, that spans columns or
 * shares one costs as much as in text or more. The table of a place is the region that saves most
 * bits, if those are enough and the rows are no text in columns, list or table of contents (that
 * the best division of a page is found by a merit of each run of lines: Hu, Kashi, Lopresti and
 * Wilfong 1999).
 */
#pragma once

#include "page/rules.h"
#include "tables/strips.h"

struct region {
    size_t from, to; /* rows [from, to) */
    size_t head;     /* the rows before this one stand above the columns as heads */
    struct strips strips;
    float gain; /* bits that the table saves */
};

struct search {
    struct arena *arena;
    const struct sheet *sheet;
    struct row_list rows;
    struct rule_list rules;
};

/* The region that saves most bits among the rows that no table has; false: there is none. Its rows
 * are fitted into its strips. */
bool region_find(struct search *search, struct region *region);
/* The full-width rule of the region between y0 and y1, or NULL. */
const struct rule *region_rule(const struct search *search, const struct region *region, float y0,
                               float y1);

/* What the cells of a column have at one place across the page. */
enum region_edge { EDGE_LEFT, EDGE_RIGHT, EDGE_MIDDLE, EDGE_POINT, EDGES };

/* By what most cells of a column are aligned. */
enum region_edge region_aligned(const struct search *search, const struct region *region,
                                size_t column);

/* x of the white between two tables side by side that the region is; NAN if it is one table. */
float region_split(const struct search *search, const struct region *region);
