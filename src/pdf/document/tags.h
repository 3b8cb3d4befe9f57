/*
 * tags: the structure tree (ISO 32000-2, 14.7): which content of which page belongs to a paragraph,
 * heading, figure and so on.
 */
#pragma once

#include "base/err.h"
#include "pdf/object/depth.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

/* A structure element, or a piece of content that belongs to one. */
struct tag {
    enum tag_kind { TAG_ELEMENT, TAG_CONTENT, TAG_OBJECT } kind;
    bool stripped;    /* an element whose references to others were removed */
    uint32_t parent;  /* TAG_NONE: the root */
    uint32_t end;     /* index after its last descendant */
    uint32_t content; /* number of pieces of content below it; 1 for content */
    /* of content, TAG_NONE: unknown; of an element: the default for its content */
    uint32_t page;
    uint32_t mcid; /* of TAG_CONTENT */
    /* object id: the element's, the stream that contains the content or 0, the object */
    int64_t id;
};

#define TAG_NONE UINT32_MAX

struct tags {
    qpdf_data q;
    struct tag *items; /* parents before children, in order */
    size_t n, cap;
    bool too_many; /* the tree was too large: n is 0 */
    struct depth depth;
    uint32_t *mark;            /* for tags_copy: 0 between calls */
    uint32_t *by_page, *first; /* content of page i: by_page[first[i]] to by_page[first[i + 1]] */
};

/* Reads the structure tree. `pages`: from ids of pages to their indexes. A document without one has
 * no items. ERR_LIMIT_EXCEEDED when out of memory. */
int tags_read(struct tags *tags, qpdf_data q, const struct idmap *pages, size_t n_pages,
              struct err *err);
void tags_free(struct tags *tags);

/*
 * Writes to document `to` the tree of its pages: page i of the source is page at[i] there. `list`
 * names these pages (without repetitions). Elements keep their order; an element that also has
 * content on other pages loses the attributes that describe all of it (/Alt, /ActualText, /E, /T).
 * `root`: a dictionary of `to` with the entries of the root that do not depend on pages (/RoleMap,
 * /ClassMap). *tagged: whether there are any elements.
 */
int tags_copy(struct tags *tags, qpdf_data to, const size_t *list, size_t n_list, const size_t *at,
              struct obj root, bool *tagged, struct err *err);
