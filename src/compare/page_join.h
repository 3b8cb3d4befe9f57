/*
 * page_join: which pages of one repair of a document are which pages of another repair of it, and
 * what the second one has that the first one lost.
 *
 * The repairs may have found different numbers of pages. Pages are the same by their words, by
 * their pictures, or because what is left of one may be the other; the order of the pages is the
 * same in both. Pages that share nothing between two that are known leave these as they are.
 */
#pragma once

#include "compare/content_score.h"

struct page_join {
    size_t from; /* a page of the other repair, */
    size_t at;   /* and its place in the result of all joins up to this one; both from 0 */
    bool is_new; /* it is inserted there; false: it replaces the page of that place */
};

/*
 * Lists what `best` should take from `other`, in the order of the pages. The count; 0 where one of
 * the two has pages that were not looked at, or where they do not agree on any page.
 */
size_t page_join_plan(const struct content_score *best, const struct content_score *other,
                      struct page_join joins[static CONTENT_SCORE_PAGES]);
