/*
 * region: finds rows that are better explained as a table than as text.
 *
 * The criterion is description length (Rissanen 1978): the number of bits that encode the positions
 * of the rows' segments, once as text and once as cells of a table. As text each segment after a
 * wide gap begins at an arbitrary position, and so does a row that does not begin below the one
 * before. A table encodes once where each column is aligned; then a cell that is aligned with its
 * column costs a bit, as an empty one does, and one that is not aligned, that spans columns or
 * shares one costs as much as in text or more. The region that saves most bits is a table, if it
 * saves enough and the rows are not text in columns, a list or a table of contents (choosing the
 * best division of a page by a merit of each run of lines: Hu, Kashi, Lopresti and Wilfong 1999).
 */
#pragma once

#include "layout/page/rules.h"
#include "layout/regions/strips.h"

struct region {
    size_t from, to; /* rows [from, to) */
    size_t head;     /* the rows before this one are column heads */
    struct strips strips;
    float gain; /* bits that the table saves */
};

struct search {
    struct arena *arena;
    const struct page_content *content;
    struct row_list rows;
    struct rule_list rules;
};

/* Finds the region that saves most bits among the rows that are in no table; false: there is
 * none. Its rows are fitted into its strips. */
bool region_find(struct search *search, struct region *region);
/* The full-width rule of the region between y0 and y1, or NULL. */
const struct rule *region_rule(const struct search *search, const struct region *region, float y0,
                               float y1);

/* A position across the page that the cells of a column have in common. */
enum region_edge { EDGE_LEFT, EDGE_RIGHT, EDGE_MIDDLE, EDGE_POINT, EDGES };

/* How most cells of a column are aligned. */
enum region_edge region_aligned(const struct search *search, const struct region *region,
                                size_t column);

/* x of the white space between two tables next to each other, of which the region consists; NAN
 * if it is one table. */
float region_split(const struct search *search, const struct region *region);
