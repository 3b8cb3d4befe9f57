/* equal_objects: which objects of a document are equal, and which are left without duplicates. */
#pragma once

#include "compress/object_graph/graph.h"

struct equal_objects {
    const struct graph *graph;
    struct equal {
        uint32_t same; /* the first node that is equal, or the node's own number */
        bool live;     /* it is still reached when equal objects are replaced by the first */
    } * of;            /* by node */
};

/* Finds equal objects of the graph, which must outlive the result. */
int equal_objects_find(struct equal_objects *equal, const struct graph *graph, struct pdf_doc *doc,
                       struct err *err);
void equal_objects_free(struct equal_objects *equal);

/* The first node that is equal to the object with an id; GRAPH_NONE if there is no such object. */
uint32_t equal_objects_first(const struct equal_objects *equal, int64_t id);
/* Whether the node is one that the result has. */
static inline bool equal_objects_has(const struct equal_objects *equal, uint32_t node)
{
    return equal->of[node].live && equal->of[node].same == node;
}
/* From now on `node` counts as equal to `first`, after equal_objects_shorten. */
void equal_objects_join(struct equal_objects *equal, uint32_t node, uint32_t first);
/* To be called after the last of several objects was joined. */
void equal_objects_shorten(struct equal_objects *equal);
