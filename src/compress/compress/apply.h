/* apply: replaces the streams of a document in memory by their smaller versions, for qpdf to
 * write: used if the result is to be encrypted, or must not have object streams. */
#pragma once

#include "compress/object_graph/equal_objects.h"
#include "compress/streams/new_stream.h"

/* Fills `out`, which is empty, with the new version of a stream. -1 ends the work. */
typedef int apply_make(void *arg, uint32_t node, struct new_stream *out, struct err *err);

/* Replaces every stream. All of them stay in memory until the document is written. */
int apply_all(struct pdf_doc *doc, const struct equal_objects *objects, apply_make *make, void *arg,
              struct err *err);
