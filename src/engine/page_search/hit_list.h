/* hit_list: makes hits of what is found: their texts, contexts, areas and ids. */
#pragma once

#include "engine/page_search/page_letters.h"
#include "engine/page_search/plain_text.h"
#include "pdf/redact/redact_hits.h"

struct hit_list {
    struct redact_hits *hits;
    struct hit_seen { /* what was found already, by a hash; open addressing */
        uint64_t key;
        size_t times;
    } * seen;
    size_t n_seen, cap_seen;
};

void hit_list_free(struct hit_list *list);
/* Adds a hit of the characters from `begin` to before `end` of a source. `letters`: the page's,
 * with the index of each character's letter in `from`; both NULL for text that is not on a page.
 * What was added for the same place and kind is not added again. `page`: from 1; 0: none. */
struct hit_place {
    const char *kind;
    size_t page;
    size_t begin, end;
    const struct page_letters *letters;
    const uint32_t *from; /* NULL: the characters are the letters */
    bool hyphens;         /* the text has soft hyphens as hyphens */
};
int hit_list_add(struct hit_list *list, const struct plain_source *source,
                 const struct hit_place *place, struct err *err);
/* Adds an area of a page. */
int hit_list_add_area(struct hit_list *list, size_t page, const struct redact_quad *quad,
                      struct err *err);
