/*
 * recompress: makes the new version of each stream of a document by the one recoder for its kind:
 * images, font programs, profiles, metadata, content, others. Each is used only if it is smaller.
 */
#pragma once

#include "compress/compress/made.h"
#include "compress/compress/written.h"
#include "compress/fonts/descriptor.h"
#include "compress/fonts/fonts.h"
#include "compress/images/profile.h"
#include "compress/object_graph/equal_objects.h"
#include "compress/object_graph/icc_use.h"
#include "compress/recolour/recolour.h"
#include "compress/usage/usage.h"

struct recompress {
    struct pdf_doc *doc;
    const struct equal_objects *objects;
    const struct icc_use *profiles; /* by node */
    const struct usage *usage;
    const struct fonts *fonts;
    const struct profile *profile;
    const struct idmap *kept; /* by id of a stream that must lose less: a level of profile_kept */
    const struct recolour *gray; /* or NULL: colours stay */
    bool in_place;      /* the dictionaries that refer to streams are not written by pack.h */
    bool keep_all;      /* only lossless changes are allowed */
    bool trim_sources;  /* profiles of colour spaces keep only the tags that readers use */
    bool trim_outputs;  /* profiles of output intents keep only the tags they must have */
    bool bare_metadata; /* metadata has no filter */
    /* What is found out about streams. */
    struct made *made;               /* what earlier attempts made */
    struct written *written;         /* by node */
    struct descriptors *descriptors; /* gets the changes of font programs */
    size_t *colours_kept;            /* counts images that could not lose theirs */
    void (*progress)(void *arg, double fraction);
    void *arg;
};

/* Makes the new version of a stream: for struct pack (compress/compress/pack.h), with a struct
 * recompress as its argument. */
int recompress_stream(void *arg, uint32_t node, struct new_stream *out, struct err *err);
/* Lets fonts and descriptors follow the programs that changed. */
int recompress_end(void *arg, struct err *err);
