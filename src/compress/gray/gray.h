/*
 * gray: converts a document to gray: its content streams, inline images, shadings, patterns,
 * glyphs, groups, and the appearances of annotations and fields. Image XObjects are left to the
 * code that writes them, which can ask for their former colour space.
 */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"
#include "pdf/object/obj.h"

struct gray;

/* Changes the document in memory. ERR_LIMIT_EXCEEDED when out of memory. */
struct gray *gray_open(struct pdf_doc *doc, struct err *err);
void gray_close(struct gray **gray);

/* Whether the document had any colour. */
bool gray_had_colours(const struct gray *gray);
/* The number of parts that could not be read, and may still have colours. */
size_t gray_failures(const struct gray *gray);
/* The colour space that an image had; null if it has none or there is no image with that number.
 * In the document it is replaced by a name, so that ICC profiles that are not needed are not
 * written. */
struct obj gray_image_space(const struct gray *gray, int64_t image);
