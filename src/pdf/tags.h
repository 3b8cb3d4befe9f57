/*
 * tags: the structure tree (ISO 32000-2, 14.7): which piece of which page is a paragraph, a
 * heading, a figure and what it shows.
 */
#pragma once

#include "base/err.h"
#include "pdf/depth.h"
#include "pdf/idmap.h"
#include "pdf/obj.h"

/* An element, or a piece of content that belongs to one. */
struct tag {
    enum tag_kind { TAG_ELEMENT, TAG_CONTENT, TAG_OBJECT } kind;
    bool stripped;    /* an element whose references to others are cut */
    uint32_t parent;  /* TAG_NONE: the root */
    uint32_t end;     /* behind the last one below it */
    uint32_t content; /* how many pieces of content are below it, or 1 */
    uint32_t page;    /* of content, TAG_NONE: unknown; of an element: what it hands down */
    uint32_t mcid;    /* of TAG_CONTENT */
    int64_t id; /* object: the element's, the stream that holds the content or 0, the object */
};

#define TAG_NONE UINT32_MAX

struct tags {
    qpdf_data q;
    struct tag *items; /* parents before children, in order */
    size_t n, cap;
    bool too_many; /* the tree was given up: n is 0 */
    struct depth depth;
    uint32_t *mark;            /* for tags_copy: 0 between calls */
    uint32_t *by_page, *first; /* content of page i: by_page[first[i]] to by_page[first[i + 1]] */
};

int tags_read(struct tags *tags, qpdf_data q, const struct idmap *pages, size_t n_pages,
              struct err *err);
void tags_free(struct tags *tags);

/*
 * Gives document `to` the tree of its pages: page i of the one read is page at[i] there. `list`
 * names those that are (without repetitions). Elements keep their order; what an element with
 * content on other pages says about all of it (/Alt, /ActualText, /E, /T) goes. `root`: a
 * dictionary of `to` with the keys of the root that do not depend on pages (/RoleMap, /ClassMap).
 * *tagged: whether there are any.
 */
int tags_copy(struct tags *tags, qpdf_data to, const size_t *list, size_t n_list, const size_t *at,
              struct obj root, bool *tagged, struct err *err);
