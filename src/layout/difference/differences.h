/*
 * differences: what of the text of one document is not in another one: words that were added,
 * removed, changed or moved, and which pages are the same ones. Where words are on a page, and
 * where lines and pages end, makes no difference.
 */
#pragma once

#include "base/err.h"
#include "layout/difference/text_words.h"

#define DIFFERENCE_NOWHERE UINT32_MAX

enum difference_kind { DIFFERENCE_ADDED, DIFFERENCE_REMOVED, DIFFERENCE_CHANGED, DIFFERENCE_MOVED };

/* Words of a list, with the pieces and edges of pages that are between them. Of a removed or added
 * part the other side has none, and `from` is the word after which it would be (NOWHERE: before
 * all).
 */
struct word_span {
    uint32_t from, to; /* the first word and the one after the last; without words from == to */
    uint32_t n;        /* number of its words, without pieces */
    uint32_t page;     /* index of the page of the list that it begins on, or would */
};

struct difference {
    enum difference_kind kind;
    struct word_span old, new;
    bool edge; /* in a header or footer */
};

/* A page of both documents, or of one (DIFFERENCE_NOWHERE in the other). */
struct page_pair {
    uint32_t old, new; /* indexes of the pages of the lists */
    bool moved;        /* other pages are between it and those that were next to it */
};

/* A place that looks different although no word of it differs. */
struct changed_area {
    uint32_t pair;   /* index of the pair of pages */
    struct area box; /* on both of them, in points */
};

struct difference_options {
    bool ignore_case, ignore_punctuation, ignore_edges;
};

struct differences {
    struct difference *items; /* in the order of the new document */
    size_t n, cap;
    struct page_pair *pairs; /* in the order of the new document, removed pages where they were */
    size_t n_pairs, cap_pairs;
    struct changed_area *areas; /* in the order of the pairs; added by the caller */
    size_t n_areas, cap_areas;
    uint32_t *partner; /* for each word of the new list its word in the old one, or NOWHERE */
    bool coarse;       /* the work reached its limit: parts may be listed that are the same */
};

/*
 * Says of pages that no text pairs, between two pairs, which are the same ones: sets `partner` of
 * those from new_from to new_to - 1 that have one to a page of the old document, from old_from to
 * old_to - 1, in increasing order.
 */
struct page_matcher {
    int (*match)(void *hand, uint32_t old_from, uint32_t old_to, uint32_t new_from, uint32_t new_to,
                 uint32_t *partner, struct err *err);
    void *hand;
};

/* Compares the lists, whose `id` it sets. The caller frees (differences_free), also after a
 * failure. ERR_LIMIT_EXCEEDED when out of memory. */
int differences_find(struct text_words *old, struct text_words *new,
                     const struct difference_options *options, const struct page_matcher *matcher,
                     struct differences *found, struct err *err);
void differences_free(struct differences *found);
