/* packed: objects taken out of object streams (ISO 32000-1, 7.5.7). */
#pragma once

#include "salvage/objects.h"

/* Makes trailers of the dictionaries of cross-reference streams, which themselves count no more. */
void packed_trailers(struct objects *objects);
/* Adds what every object stream holds, as if it stood at the stream's place; the streams themselves
 * count no more. */
int packed_open(struct objects *objects, struct err *err);
