/* page_resize: changes the boxes of pages, and scales their content with all that is on it. */
#pragma once

#include "base/err.h"
#include "declare/value/page_operations.h"
#include "pdf/content/overlay.h"
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"

/* Does an operation of the kind PAGE_RESIZE or PAGE_SCALE on the pages with a true in `wanted`. */

int page_resize_make(struct pdf_doc *doc, struct overlay *overlay, const struct page_operation *op,
                     const bool *wanted, struct err *err);
/* Shows only this part of a page: left, top, width and height from the top left corner of the page
 * as it is shown. False if nothing of at least 3 points is left of it. */
bool page_resize_crop(struct obj page, const double part[static 4]);
