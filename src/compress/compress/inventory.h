/*
 * inventory: the object graph of a document: all objects that its catalog and information
 * dictionary reach, in that order, each once. Private data of other programs (/PieceInfo, /Thumb)
 * is not followed and is removed.
 */
#pragma once

#include "base/err.h"
#include "compress/compress/spaces.h"
#include "compress/content/compact.h"
#include "pdf/document/doc.h"
#include "pdf/object/idmap.h"
#include "pdf/object/obj.h"

enum font_change {
    FONT_WHOLE,
    FONT_SUBSET,    /* it lost glyphs */
    FONT_CONVERTED, /* it lost glyphs and was converted to CFF */
};

/* The class of a stream, for the figures about what was saved. */
enum object_class { OBJECT_STRUCTURE, OBJECT_IMAGE, OBJECT_FONT, OBJECT_CONTENT };
#define OBJECT_CLASSES 4

struct object {
    int64_t id;
    struct compact value; /* of a stream: its dictionary; references are indexes of the list */
    bool stream;
    long long length;        /* of a stream: what the file said */
    bool sharable;           /* an equal object can take its place */
    bool source_profile;     /* an ICC profile of colour spaces: see icc_use_find */
    bool output_profile;     /* an ICC profile of output intents */
    bool other_use;          /* something else than a colour space refers to it, or blends in it */
    enum object_class class; /* of a stream that was written */
    size_t written;          /* of a stream that was written: its bytes in the result */
    bool redrawn;            /* as it was last written, it may look different from the original */
    bool appearance;         /* of an annotation, or a dictionary of such */
    bool live;               /* it is still reached when equal objects are replaced by the first */
    uint32_t same;           /* the first object that is equal to it, or its own index */
    uint64_t data;           /* of a stream whose length is not unique: a digest of its bytes */
    uint32_t number;         /* in the file that is written */
    size_t weight;           /* the length of its value when it got its number */
    enum font_change font;   /* of a font program: its change when it was last written */
    bool told;               /* its descriptors say that it is CFF */
    char tag[8];             /* "ABCDEF+" for the name of its font; "" for none */
    bool tagged;             /* of a font or its descriptor: its name has got such a tag */
};

struct inventory {
    struct object *list;
    size_t n, cap;
    struct idmap index;  /* by id */
    uint32_t root, info; /* info: COMPACT_NULL if there is none */
};

/* Reads all objects. `spaces` replaces colour spaces in each of them before it is read. */
int inventory_read(struct inventory *objects, struct pdf_doc *doc, struct spaces *spaces,
                   struct err *err);
void inventory_free(struct inventory *objects);
#define AUTO_INVENTORY __attribute__((cleanup(inventory_free)))

/* Finds equal objects: sets `same` and `live`. */
int merge_inventories(struct inventory *objects, struct pdf_doc *doc, struct err *err);

/*
 * After merging: finds out of each ICC profile whether readers only convert from its colours
 * (source_profile), or whether it says what device the document is made for (output_profile).
 * Profiles that transparency groups blend in are converted to as well.
 */
void icc_use_find(struct inventory *objects, struct pdf_doc *doc);

/* The object with an id, after merging; NULL if there is none. */
struct object *inventory_find(const struct inventory *objects, int64_t id);
/* A handle of the object in the document; the caller drops it. */
struct obj inventory_handle(struct pdf_doc *doc, const struct object *object);
