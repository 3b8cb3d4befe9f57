/*
 * unplaced: form fields, and widgets of fields, that no page has among its annotations, such as
 * fields that only hold a value for scripts (ISO 32000-2, 12.7.4). A part of a document finds its
 * fields by the widgets on its pages, and would lose these.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "pdf/extract/annots.h"

struct unplaced {
    struct unplaced_widget {
        struct obj item;
        size_t page;  /* the page that it names as its own, or DEST_NOWHERE */
        bool shared;  /* other widgets of its field are on pages */
        size_t annot; /* its index in struct annots, once it is cut */
    } * items;
    size_t n, cap;
    size_t n_lost;    /* fields without any page */
    struct buf first; /* the full name of the first of them, UTF-8, or empty */
};

/*
 * Finds them, before anything is cut out of the document. Fields that are direct objects become
 * indirect, in memory. `pages`: ids of pages to numbers. ERR_LIMIT_EXCEEDED when out of memory.
 */
int unplaced_find(struct unplaced *unplaced, qpdf_data q, const struct idmap *pages, size_t n_pages,
                  struct err *err);
void unplaced_free(struct unplaced *unplaced);

/* Drops what no part gets, if `whole` is false, and cuts the others out of the tree of fields. */
int unplaced_cut(struct unplaced *unplaced, struct annots *annots, const struct dest_names *names,
                 bool whole, struct err *err);

/*
 * Adds to the fields of a part, after those on its pages, the unplaced ones that belong to it:
 * those that name a page of it, those of a field that it has, and, if they are not dropped, those
 * without any page.
 */
int unplaced_put(const struct unplaced *unplaced, const struct annots *annots, qpdf_data to,
                 const struct dest_names *names, const size_t *at, struct fields_part *fields,
                 struct err *err);
