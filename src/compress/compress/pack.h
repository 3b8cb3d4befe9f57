/*
 * pack: writes a document as small as the format allows (ISO 32000-2, 7.5.7 and 7.5.8): equal
 * objects once, object streams with best compression, one cross-reference stream. Streams are made
 * one at a time, so that only one is in memory.
 */
#pragma once

#include "compress/compress/pack_crypt.h"
#include "compress/object_graph/equal_objects.h"
#include "compress/object_graph/node_values.h"
#include "compress/streams/new_stream.h"

/* What is written. */
struct pack {
    struct pdf_doc *doc;
    const struct equal_objects *objects;
    const struct node_values *values;
    const struct pack_crypt *crypt; /* NULL for a document that is not encrypted */
    /* Fills `out`, which is empty, with the new version of a stream. -1 ends the writing. */
    int (*make)(void *arg, uint32_t node, struct new_stream *out, struct err *err);
    /* Called after all streams were made, to change `values` for what is written then. */
    int (*made_all)(void *arg, struct err *err);
    void *arg;
};

/* Numbers the live objects and writes them. ERR_STORAGE_FULL or ERR_LIMIT_EXCEEDED if there is no
 * room. */
int pack_write(const struct pack *pack, const char *path, struct err *err);
