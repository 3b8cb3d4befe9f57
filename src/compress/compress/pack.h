/*
 * pack: writes a document as small as the format allows (ISO 32000-2, 7.5.7 and 7.5.8): equal
 * objects once, object streams with best compression, one cross-reference stream. Streams are made
 * one at a time, so that only one is in memory.
 */
#pragma once

#include "compress/compress/inventory.h"
#include "compress/compress/pack_crypt.h"

#define PACK_EDITS 12 /* limit of the keys that are changed in one dictionary */

/* The new version of one stream. */
struct pack_stream {
    struct buf data;
    struct compact_edit edits[PACK_EDITS]; /* changes of its dictionary, without /Length */
    size_t n_edits;
};

void pack_stream_free(struct pack_stream *stream);
#define AUTO_PACK_STREAM __attribute__((cleanup(pack_stream_free)))
/* Copies data and edits. False when out of memory. */
bool pack_copy(const struct pack_stream *from, struct pack_stream *to);
/* Sets a key, whose name must outlive the stream. False when out of memory. */
__attribute__((format(printf, 3, 4))) bool pack_edit(struct pack_stream *stream, const char *key,
                                                     const char *fmt, ...);
/* Sets the object that COMPACT_REF means in the value of a key that was set. */
void pack_edit_target(struct pack_stream *stream, const char *key, uint32_t target);
/* Removes a key. */
void pack_remove(struct pack_stream *stream, const char *key);

/* Fills `out`, which is empty. -1 ends the writing. */
typedef int pack_make(void *cls, const struct object *object, struct pack_stream *out,
                      struct err *err);

/* Numbers the live objects and writes them; `crypt`: for an encrypted document, or NULL.
 * ERR_STORAGE_FULL or ERR_LIMIT_EXCEEDED if there is no room. */
int pack_write(struct pdf_doc *doc, struct inventory *objects, const struct pack_crypt *crypt,
               pack_make *make, void *cls, const char *path, struct err *err);
