/* recode_metadata: makes the stream of an XMP packet shorter. */
#pragma once

#include "compress/streams/new_stream.h"
#include "pdf/object/obj.h"

/* Replaces `out`, the original, by a smaller version, if it finds one. `bare`: it is to have no
 * filter, as PDF/A-1 demands (ISO 19005-1, 6.7.2). */
void recode_metadata(struct obj metadata, bool bare, struct new_stream *out);
