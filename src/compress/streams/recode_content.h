/* recode_content: makes content streams shorter. */
#pragma once

#include "compress/streams/new_stream.h"
#include "pdf/object/obj.h"

/* Replaces `out`, the original, by a smaller version, if it finds one. `scale`: as for
 * content_shorten (compress/content/content.h). */
void recode_content(struct obj stream, double scale, struct new_stream *out);
/* The limit of the size of a new stream of which the original takes `before` bytes: content without
 * a filter may be longer, as its dictionary does not name one. */
size_t recode_content_limit(const struct new_stream *out, size_t before);
