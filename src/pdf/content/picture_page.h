/* picture_page: a picture file as the only page of a document in memory, as large as the picture.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "pdf/document/doc.h"

/* `scratch`: the path of an existing file, which is overwritten. Sets *width and *height in points,
 * upright. ERR_CORRUPT_FILE, ERR_UNSUPPORTED_CONTENT for what is not a sound picture. */
int picture_page_open(struct pdf_doc *doc, int fd, int64_t bytes, const char *scratch,
                      double *width, double *height, struct err *err);
