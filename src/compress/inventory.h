/*
 * inventory: what a document consists of: every object that its catalog and information dictionary
 * reach, in the order it is reached, each once. Private data of other programs (/PieceInfo, /Thumb)
 * is not followed and leaves the document.
 */
#pragma once

#include "base/err.h"
#include "compress/compact.h"
#include "pdf/doc.h"
#include "pdf/idmap.h"
#include "pdf/obj.h"

struct object {
    int64_t id;
    struct compact value; /* of a stream: its dictionary; references are indices of the list */
    bool stream;
    long long length; /* of a stream: what the file said */
    bool sharable;    /* nobody can tell it from another of the same value */
    bool live;        /* reached when of equal objects only the first counts */
    uint32_t same;    /* the first object that is equal to it, or its own index */
    uint64_t data;    /* of a stream whose length others have: a digest of its bytes */
    uint32_t number;  /* in the file that is written */
};

struct inventory {
    struct object *list;
    size_t n, cap;
    struct idmap index;  /* by id */
    uint32_t root, info; /* info: COMPACT_NULL if there is none */
};

int inventory_read(struct inventory *objects, struct pdf_doc *doc, struct err *err);
void inventory_free(struct inventory *objects);
#define AUTO_INVENTORY __attribute__((cleanup(inventory_free)))

/* Finds objects that are equal: sets `same` and `live`. */
int inventory_merge(struct inventory *objects, struct pdf_doc *doc, struct err *err);

/* The object an id stands for, after merging; NULL if it is not among them. */
struct object *inventory_find(const struct inventory *objects, int64_t id);
struct obj inventory_handle(struct pdf_doc *doc, const struct object *object);
