/*
 * gray: takes the colours out of a document: of what its content streams paint, of inline images,
 * shadings, patterns, glyphs, groups, and of what annotations and fields are drawn with. Images are
 * left to whoever writes them: they are told what their samples meant.
 */
#pragma once

#include "base/err.h"
#include "pdf/doc.h"
#include "pdf/obj.h"

struct gray;

/* Changes the document in memory. ERR_LIMIT_EXCEEDED when out of memory. */
struct gray *gray_open(struct pdf_doc *doc, struct err *err);
void gray_close(struct gray **gray);

/* Whether there was anything in colour. */
bool gray_had_colours(const struct gray *gray);
/* Parts that could not be read, and may show colours. */
size_t gray_failures(const struct gray *gray);
/* The colour space an image had; null if it has none or there is no image of that number. In the
 * document a name stands in its place, so that profiles nobody needs are not written. */
struct obj gray_image_space(const struct gray *gray, int64_t image);
