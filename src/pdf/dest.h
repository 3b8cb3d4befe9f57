/*
 * dest: where links, outline entries and names lead (ISO 32000-2, 12.3.2), as a page and a view,
 * and all named destinations of a document.
 */
#pragma once

#include "base/err.h"
#include "pdf/idmap.h"
#include "pdf/obj.h"

#define DEST_NOWHERE SIZE_MAX
#define DEST_VIEW    80

struct dest {
    size_t page;          /* from 0; DEST_NOWHERE: unknown, or not in this document */
    size_t name;          /* which named destination; DEST_NOWHERE: none, `view` holds */
    char view[DEST_VIEW]; /* PDF syntax behind the page: "/XYZ 0 700 null" */
};

struct dest_names {
    struct dest_name {
        char *text; /* of a name with its slash */
        size_t n;
        bool old; /* a name of the catalog's /Dests, not a string of the name tree */
        size_t page;
        char view[DEST_VIEW];
    } * items; /* sorted: those of the name tree by their bytes, then the old ones by theirs */
    size_t n, cap;
    const struct idmap *pages; /* ids of pages to page numbers; must outlive this */
    size_t n_pages;
};

/* Reads both kinds. Names that lead nowhere are left out. ERR_LIMIT_EXCEEDED when out of memory. */
int dest_names_read(struct dest_names *names, qpdf_data q, const struct idmap *pages,
                    size_t n_pages, struct err *err);
void dest_names_free(struct dest_names *names);

/* The value of /Dest or /D: an array, a name, a string or a dictionary with /D. */
void dest_resolve(const struct dest_names *names, struct obj value, struct dest *dest);

/*
 * The value of /Dest or /D in another document: an array with its own page, or the name. `page` is
 * the page there.
 */
struct obj dest_value(const struct dest_names *names, const struct dest *dest, struct obj page);
struct obj dest_array(struct obj page, const char *view);
