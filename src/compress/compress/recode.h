/*
 * recode: makes the new version of each stream of a document: images by image_recode, font programs
 * by font_recode, all others with better compression, each only if it becomes smaller.
 */
#pragma once

#include "compress/compress/fonts.h"
#include "compress/compress/made.h"
#include "compress/compress/pack.h"
#include "compress/compress/profile.h"
#include "compress/compress/usage.h"
#include "compress/recolour/recolour.h"

struct recode {
    struct pdf_doc *doc;
    struct inventory *objects;
    struct usage *usage;
    const struct fonts *fonts;
    const struct profile *profile;
    /* by id of a stream that must lose less: COMPRESS_GENTLER or COMPRESS_LOSSLESS */
    const struct idmap *kept;
    const struct recolour *gray; /* or NULL: colours stay */
    struct made *made;           /* what earlier attempts made */
    size_t *colours_kept;        /* images that could not lose theirs */
    bool in_place;      /* the dictionaries that refer to streams are not written by pack.h */
    bool keep_all;      /* only lossless changes are allowed */
    bool trim_sources;  /* profiles of colour spaces keep only the tags that readers use */
    bool trim_outputs;  /* profiles of output intents keep only the tags they must have */
    bool bare_metadata; /* metadata has no filter, as PDF/A-1 demands (ISO 19005-1, 6.7.2) */
    void (*progress)(void *cls, double fraction);
    void *cls;
};

/* Makes the new version of a stream: a pack_make (compress/compress/pack.h) whose cls is a struct
 * recode. */
int recode_stream(void *cls, const struct object *object, struct pack_stream *out, struct err *err);
