/*
 * recode: what becomes of each stream of a document: images by recode_image, font programs by
 * recode_font, all others packed anew, each only if it gets smaller.
 */
#pragma once

#include "compress/pack.h"
#include "compress/profile.h"

struct recode {
    struct pdf_doc *doc;
    struct objects *objects;
    const struct profile *profile;
};

/* A pack_make; cls is a struct recode. */
int recode_stream(void *cls, const struct object *object, struct pack_stream *out, struct err *err);

/* The bytes as they are in the file. ERR_CORRUPT_FILE if they cannot be read. */
int recode_copy(struct obj stream, struct pack_stream *out, struct err *err);
/* Packs `data`, what the stream's filters (without predictors that are kept) unpack to. */
bool recode_flate(const void *data, size_t n, struct pack_stream *out);
