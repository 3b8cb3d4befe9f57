/* layered_page: shows a page by the layers of its picture (image/layers/layers.h), in place of all
 * that its content has. */
#pragma once

#include "base/err.h"
#include "image/layers/layers.h"
#include "pdf/object/obj.h"

/* Whether nothing of the page is lost if its content is replaced: it has no optional content. */
bool layered_page_can(struct obj page);
/* Bytes of the image data that the page shows by its own resources. */
size_t layered_page_old_bytes(struct obj page);
size_t layered_page_new_bytes(const struct layers *layers);
/* ERR_LIMIT_EXCEEDED when out of memory. */
int layered_page_write(struct obj page, const struct layers *layers, struct err *err);
