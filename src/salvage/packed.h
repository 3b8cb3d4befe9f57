/* packed: objects taken out of object streams (ISO 32000-1, 7.5.7). */
#pragma once

#include "salvage/objects.h"

/* Adds what every object stream holds, as if it stood at the stream's place; object and
 * cross-reference streams themselves count no more. Dictionaries of the latter become trailers. */
int packed_open(struct objects *objects, struct err *err);
