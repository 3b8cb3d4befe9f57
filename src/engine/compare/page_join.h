/*
 * page_join: which pages of one repair of a document are which pages of another repair of it, and
 * what the second one has that the first one lost.
 *
 * The repairs may have found different numbers of pages. Pages are the same if they have
 * the same words or the same picture, or if one may be what is left of the other; the order of the
 * pages is the same in both. Between two pages that both repairs have, pages of the other repair
 * are inserted only if this one has no page there, which shows that it lost them.
 */
#pragma once

#include "engine/compare/content_score.h"

struct page_join {
    size_t from; /* a page of the other repair, */
    size_t at;   /* and its place in the result of all joins up to this one; both from 0 */
    bool is_new; /* it is inserted there; false: it replaces the page of that place */
};

/*
 * Lists what `best` should take from `other`, in the order of the pages. Returns their number; 0
 * if one of the two has pages that were not sampled, or if no page is the same in both.
 */
size_t page_join_plan(const struct content_score *best, const struct content_score *other,
                      struct page_join joins[static CONTENT_SCORE_PAGES]);
