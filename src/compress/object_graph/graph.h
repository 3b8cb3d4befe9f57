/*
 * graph: the object graph of a document: all objects that its catalog and information dictionary
 * reach, in that order, each once. Private data of other programs (/PieceInfo, /Thumb) is not
 * followed and is removed. A graph does not change after it was read: what other files find out
 * about objects is in arrays of their own, by the numbers of nodes.
 */
#pragma once

#include "base/err.h"
#include "compress/content/compact.h"
#include "compress/object_graph/device_spaces.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

struct graph_node {
    int64_t id;
    struct compact value; /* of a stream: its dictionary; references are numbers of nodes */
    long long length;     /* of a stream: what the file said */
    bool stream;
    bool sharable;  /* by its kind, an equal object can take its place */
    bool other_use; /* something else than a colour space refers to it */
};

#define GRAPH_NONE UINT32_MAX /* the number of no node; equals COMPACT_NULL */

struct graph {
    struct graph_node *nodes;
    uint32_t n, cap;
    struct idmap index;  /* by id */
    uint32_t root, info; /* info: GRAPH_NONE if there is none */
};

/* Reads all objects. `spaces` replaces colour spaces in each of them before it is read. */
int graph_read(struct graph *graph, struct pdf_doc *doc, struct device_spaces *spaces,
               struct err *err);
void graph_free(struct graph *graph);

/* The number of the object with an id, or GRAPH_NONE. */
uint32_t graph_find(const struct graph *graph, int64_t id);
/* A handle of the object in the document; the caller drops it. */
struct obj graph_handle(const struct graph *graph, struct pdf_doc *doc, uint32_t node);
/* Whether the text of the object, or of the dictionary of a stream, has this text in it. */
bool graph_mentions(const struct graph *graph, uint32_t node, const char *text);
