/*
 * content: shortens content streams (ISO 32000-2, 7.8.2): at most one space between tokens, numbers
 * without needless digits, strings in their shorter form, and no operators that set the current
 * value again.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

/* An unknown scale: no number is rounded. */
#define CONTENT_EXACT 0.0

/*
 * Appends the shortened content. `scale`: the largest size, in points, at which one of its units is
 * drawn, which allows rounding coordinates so that nothing moves by more than CONTENT_OFF points.
 * False, and `out` must be dropped, if the content is not understood completely.
 */
bool content_shorten(const unsigned char *data, size_t n, double scale, struct buf *out);
#define CONTENT_OFF 0.005

/* The number of bytes that a stream has in the file. If `before` has its id, that number is
 * returned instead: the bytes that the stream took before it was changed or joined. */
size_t content_bytes(struct obj stream, const struct idmap *before);
/* Joins the content streams of every page that has several, except those that pages share.
 * `before` gets the bytes that the parts of each such stream took in the file, by id. */
int content_join(struct pdf_doc *doc, struct idmap *before, struct err *err);
