/* inline_images: makes large inline images (ISO 32000-2, 8.9.7) image XObjects, which are then
 * reduced, merged and encoded like any other. */
#pragma once

#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"

/*
 * Changes the content of pages, form XObjects and tiling patterns, and their resources. An image
 * stays where it is if it is short, if it cannot be decoded completely, or if its content is shared
 * by pages. `before` gets the bytes that each image and changed content took in the file, by id;
 * it may have those of content already. ERR_LIMIT_EXCEEDED when out of memory.
 */
int inline_images_move(struct pdf_doc *doc, struct idmap *before, struct err *err);
