/*
 * annots: the annotations of a document's pages (ISO 32000-2, 12.5), with references to other pages
 * removed, so that copying one does not pull in the rest of the document.
 */
#pragma once

#include "base/err.h"
#include "pdf/document/dest.h"
#include "pdf/forms/fields.h"
#include "pdf/object/depth.h"
#include "pdf/object/obj.h"

struct annots {
    struct annot {
        struct obj item;
        struct dest dest; /* its destination, if that is a page */
        bool has_dest;  /* it has a destination or a /GoTo action, even if there is no such page */
        bool by_action; /* the destination is in /A and not in /Dest */
        bool link;
        size_t field; /* the field of a widget */
        bool widget;
    } * items;
    size_t n, cap;
    struct idmap known; /* from ids of annotations to indexes in items */
    struct fields fields;
    struct depth *depth; /* shared with others, so that objects are measured once */
};

/* The annotations of one page, as indexes in struct annots. */
struct annots_page {
    size_t *items;
    size_t n;
};

/* Reads the form fields of the document, for widgets. ERR_LIMIT_EXCEEDED when out of memory. */
int annots_open(struct annots *annots, qpdf_data q, struct depth *depth, struct err *err);
void annots_close(struct annots *annots);

/* Removes the annotations from a page, in memory. The caller frees list->items.
 * ERR_LIMIT_EXCEEDED for one that cannot be copied. */
int annots_read(struct annots *annots, struct obj page, const struct dest_names *names,
                struct annots_page *list, struct err *err);

/*
 * Adds the annotations that were taken to the page's copy in a part. Page i is page at[i] there,
 * DEST_NOWHERE if it is not included: links to such a page are dropped.
 */
int annots_put(const struct annots *annots, const struct annots_page *list, struct obj page,
               const struct dest_names *names, const size_t *at, struct fields_part *fields,
               struct err *err);

/* The same for a widget, or a field without one, that is in no page's list: takes it out of the
 * tree of fields. *at: its index in items. */
int annots_cut_widget(struct annots *annots, struct obj widget, const struct dest_names *names,
                      size_t *at, struct err *err);
/* Adds the copy of such a widget to the fields of a part, and to no page. `page`: the page of the
 * part that it names as its own, or the part's null. */
int annots_put_widget(const struct annots *annots, size_t widget, struct obj page,
                      const struct dest_names *names, const size_t *at, struct fields_part *fields,
                      struct err *err);
