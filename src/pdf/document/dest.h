/*
 * dest: destinations of links, outline entries and names (ISO 32000-2, 12.3.2), as a page and a
 * view, and all named destinations of a document.
 */
#pragma once

#include "base/err.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

#define DEST_NOWHERE SIZE_MAX /* no page, no name */
#define DEST_VIEW    80       /* room for a view with its NUL */

struct dest {
    size_t page; /* from 0; DEST_NOWHERE: unknown, or not in this document */
    /* index of the named destination; DEST_NOWHERE: not named, `view` is used */
    size_t name;
    char view[DEST_VIEW]; /* PDF syntax after the page: "/XYZ 0 700 null" */
};

struct dest_names {
    struct dest_name {
        char *text; /* of a name with its slash */
        size_t n;
        bool old; /* a name of the catalog's /Dests, not a string of the name tree */
        size_t page;
        char view[DEST_VIEW];
    } * items; /* sorted by their bytes: those of the name tree first, then the old ones */
    size_t n, cap;
    const struct idmap *pages; /* from ids of pages to page numbers; must outlive this */
    size_t n_pages;
};

/* Reads the named destinations of document q, both those of the name tree and the old ones. Names
 * without a valid destination are omitted. ERR_LIMIT_EXCEEDED when out of memory. */
int dest_names_read(struct dest_names *names, qpdf_data q, const struct idmap *pages,
                    size_t n_pages, struct err *err);
void dest_names_free(struct dest_names *names);

/* Resolves the value of /Dest or /D: an array, a name, a string or a dictionary with /D. */
void dest_resolve(const struct dest_names *names, struct obj value, struct dest *dest);

/*
 * Makes the value of /Dest or /D for another document: an array with its page, or the name. `page`
 * is the page in that document.
 */
struct obj dest_value(const struct dest_names *names, const struct dest *dest, struct obj page);
/* Makes an explicit destination: an array of the page and the view. */
struct obj dest_array(struct obj page, const char *view);
