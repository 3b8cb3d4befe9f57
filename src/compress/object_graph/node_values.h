/*
 * node_values: what is written in place of the values of some nodes of a graph: dictionaries of
 * font programs that were united, and fonts and descriptors of programs that were made smaller.
 */
#pragma once

#include "compress/object_graph/graph.h"

struct node_values {
    const struct graph *graph;
    struct compact **changed; /* by node; NULL where the graph's own value is written */
};

/* The graph must outlive the values. False when out of memory, as the next two. */
bool node_values_open(struct node_values *values, const struct graph *graph);
void node_values_free(struct node_values *values);

/* The value that is written of a node. */
const struct compact *node_values_of(const struct node_values *values, uint32_t node);
/* Sets the value of a node, and takes ownership of it. */
bool node_values_set(struct node_values *values, uint32_t node, struct compact *value);
/* The value of a node, to be changed; NULL when out of memory. */
struct compact *node_values_edit(struct node_values *values, uint32_t node);
