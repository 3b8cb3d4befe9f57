/* pack_order: the order of objects in object streams: those alike stand together, where they
 * compress best. */
#pragma once

#include "compress/inventory.h"

/* Indices of the live objects that are no streams and not equal to one before; `n`: how many. NULL
 * when out of memory. To be freed. */
uint32_t *pack_order(const struct inventory *objects, size_t *n);
