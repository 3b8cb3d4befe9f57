/* page_form: makes a form XObject (ISO 32000-2, 8.10) of a page's content, for pages that show it
 * at another place. Tags in it stay those of the document: the form gets /StructParents. */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/object/obj.h"
#include "pdf/object/page_view.h"

/* Makes the form, clipped to the area of the page that readers show. `tagged`: tags of the page
 * belong to the form from now on; not for a second form of the same page. */
int page_form_make(struct obj page, const struct page_view *view, bool tagged, struct obj *form,
                   struct err *err);
/* Appends to a content stream that the form with this number is drawn by a matrix. */
struct buf;
void page_form_draw(struct buf *content, const double matrix[static 6], size_t number);
/* The name of the form with a number in the resources of its page, "/P3". */
void page_form_name(size_t number, char *out, size_t cap);
/* A new page of that size with a content stream. */
struct obj page_form_page(qpdf_data q, double width, double height, const struct buf *content,
                          struct obj resources);
