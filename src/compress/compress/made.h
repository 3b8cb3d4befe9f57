/*
 * made: the streams that earlier attempts wrote, so that the next attempt only makes those again
 * whose treatment has changed. They are kept up to a limit of memory.
 */
#pragma once

#include "compress/compress/pack.h"

/* The treatment of a stream: two equal ones make equal streams. */
struct made_how {
    const void *profile; /* its address; NULL if the stream does not depend on it */
    size_t kept;         /* its number in recode.kept, or IDMAP_NONE */
    bool keep_all;       /* compress_keep_all was called (compress/compress/compress.h) */
    bool screens;        /* profile_is_for_screens (compress/compress/profile.h) */
};

struct made {
    struct made_stream *list; /* by index of the inventory */
    size_t n, bytes;
};

/* Copies what was made of object `i` in the same way. False if that is not known. */
bool made_find(const struct made *made, size_t i, const struct made_how *how,
               struct pack_stream *out);
/* Remembers a copy in place of the last one of object `i`, if there is memory. `n`: the number of
 * objects of the document. */
void made_keep(struct made *made, size_t n, size_t i, const struct made_how *how,
               const struct pack_stream *stream);
void made_free(struct made *made);
