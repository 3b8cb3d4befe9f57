/* merge_arrange: puts the pages of a merged document in the order of an arrangement. */
#pragma once

#include "pdf/merge/merge_part.h"

/* Checks the arrangement. ERR_INVALID_PARAMETER for an item that names a file beyond the last. */
int merge_arrange_check(const struct merge *m, struct err *err);
/* Whether a page of the file is used, or determines the size of a blank page. */
bool merge_arrange_uses(const struct merge *m, size_t file);
/* The index of the first page that is used of a file with n_pages pages; 0 if none is.
 * ERR_PAGE_OUT_OF_RANGE. */
int merge_arrange_first(const struct merge *m, size_t file, size_t n_pages, size_t *first,
                        struct err *err);

/* The pages of the result. */
struct merge_order {
    size_t *pages; /* indexes in m->to */
    int *turns;    /* rotation of each page in degrees clockwise */
    size_t n, cap;
    size_t n_source; /* pages of m->to, including added blank ones */
};

/* Resolves the arrangement, after all files were added to m->to; blank pages are added there,
 * after all others. Call merge_order_free in any case. Errors name the item. */
int merge_arrange(struct merge *m, struct merge_order *order, struct err *err);
/* Writes the pages in this order to m->run->output. m->to, which is finished, cannot be used for
 * anything else afterwards. */
int merge_arrange_save(struct merge *m, const struct merge_order *order, struct err *err);
void merge_order_free(struct merge_order *order);
