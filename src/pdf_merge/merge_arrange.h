/* merge_arrange: the result of a merge with its pages in the order that an arrangement asks for. */
#pragma once

#include "pdf_merge/merge_part.h"

/* ERR_INVALID_PARAMETER for an item that names a file beyond the last. */
int merge_arrange_check(const struct merge *m, struct err *err);
/* Whether a page of the file is wanted, or needed as the size of a blank one. */
bool merge_arrange_uses(const struct merge *m, size_t file);
/* The number (from 0) of the first page that is wanted of a file of so many pages; 0 if none is.
 * ERR_PAGE_OUT_OF_RANGE. */
int merge_arrange_first(const struct merge *m, size_t file, size_t n_pages, size_t *first,
                        struct err *err);

/* The pages of the result. */
struct merge_order {
    size_t *pages; /* numbers in m->to, from 0 */
    int *turns;    /* by how much each is turned: degrees clockwise */
    size_t n, cap;
    size_t n_source; /* pages of m->to, blank ones that were added included */
};

/* What the arrangement means, now that all files are in m->to; blank pages are added there, after
 * all others. merge_order_free in any case. Errors name the item. */
int merge_arrange(struct merge *m, struct merge_order *order, struct err *err);
/* Writes the pages in this order to m->run->output. m->to, finished, is good for nothing else
 * afterwards. */
int merge_arrange_save(struct merge *m, const struct merge_order *order, struct err *err);
void merge_order_free(struct merge_order *order);
