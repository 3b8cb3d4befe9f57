/* pack_order: the order of objects in object streams: similar objects are neighbours, which
 * compresses best. */
#pragma once

#include "compress/compress/inventory.h"

/* Indexes of the live objects that are not streams and not equal to an earlier one; `n`: how
 * many. The caller frees them. NULL when out of memory. */
uint32_t *pack_order(const struct inventory *objects, size_t *n);
