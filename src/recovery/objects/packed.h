/* packed: extracts objects from object streams (ISO 32000-1, 7.5.7). */
#pragma once

#include "recovery/objects/objects.h"

/* Adds the dictionaries of cross-reference streams as trailers, and excludes the streams. */
void packed_trailers(struct objects *objects);
/* Adds the objects of every object stream, as if they were at the stream's place, and excludes
 * the streams. */
int packed_open(struct objects *objects, struct err *err);
