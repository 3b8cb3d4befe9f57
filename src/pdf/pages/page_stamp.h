/* page_stamp: a picture, or a page of another PDF, that is put on pages of a document as often as
 * wanted. */
#pragma once

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "pdf/content/overlay.h"
#include "pdf/document/doc.h"
#include "pdf/object/page_view.h"

struct page_stamp {
    struct pdf_doc doc; /* stays open until the document with the stamp is written */
    size_t index;       /* of its page */
    struct page_view view;
    double width, height; /* of the page or picture as it is seen, in points */
    double seen[6];       /* from the form's coordinates to a box of that size */
    size_t form;          /* of the overlay, after page_stamp_import */
    bool annotated;       /* the page has annotations, which are not part of the stamp */
};

/* Opens a file that is a picture, or a PDF of which page `number` (from 1) is used. `scratch`: the
 * path of an existing file that is overwritten. ERR_INVALID_PARAMETER with the field `name`. */
int page_stamp_open(struct page_stamp *stamp, const char *name, const struct tool_input *file,
                    int64_t number, const char *scratch, struct err *err);
/* Copies a page of another document as a form that `overlay` of document `doc` can place. */
int page_stamp_copy(struct pdf_doc *doc, struct pdf_doc *other, size_t index,
                    struct overlay *overlay, struct page_view *view, size_t *form, struct err *err);
/* The same for the stamp. */
int page_stamp_import(struct page_stamp *stamp, struct pdf_doc *doc, struct overlay *overlay,
                      struct err *err);
void page_stamp_close(struct page_stamp *stamp);
