/*
 * recode: makes the new version of each stream of a document: images by image_recode, font programs
 * by font_recode, all others with better compression, each only if it becomes smaller.
 */
#pragma once

#include "compress/fonts.h"
#include "compress/made.h"
#include "compress/pack.h"
#include "compress/profile.h"
#include "compress/usage.h"
#include "gray/gray.h"

struct recode {
    struct pdf_doc *doc;
    struct inventory *objects;
    struct usage *usage;
    const struct fonts *fonts;
    const struct profile *profile;
    const struct idmap *kept; /* ids of streams that must lose less: how much (compress.h) */
    const struct gray *gray;  /* or NULL: colours stay */
    struct made *made;        /* what earlier attempts made */
    size_t *colours_kept;     /* images that could not lose theirs */
    bool in_place;            /* what refers to a stream is not written by pack.h */
    bool keep_all;            /* none is to lose anything */
    bool trim_sources;        /* ICC profiles are left what readers of colour spaces need, */
    bool trim_outputs;        /* and those of output intents what such a profile must have */
    bool bare_metadata;       /* PDF/A-1 (ISO 19005-1, 6.7.2) has it without a filter */
    void (*progress)(void *cls, double fraction);
    void *cls;
};

/* A pack_make; cls is a struct recode. */
int recode_stream(void *cls, const struct object *object, struct pack_stream *out, struct err *err);
