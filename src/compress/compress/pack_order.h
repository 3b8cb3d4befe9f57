/* pack_order: the order of objects in object streams: similar objects are neighbours, which
 * compresses best. */
#pragma once

#include "compress/object_graph/equal_objects.h"
#include "compress/object_graph/node_values.h"

struct packed {
    uint32_t node;
    size_t weight; /* the length of its value now; it may have another one when it is written */
};

/* The objects that the result has and that are not streams; `n`: their number. The caller frees
 * the list. NULL when out of memory. */
struct packed *pack_order(const struct equal_objects *objects, const struct node_values *values,
                          size_t *n);
