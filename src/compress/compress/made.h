/*
 * made: the streams that earlier attempts wrote, so that the next attempt only makes those again
 * whose treatment has changed. They are kept up to a limit of memory.
 */
#pragma once

#include "compress/streams/new_stream.h"

/* The treatment of a stream: two equal ones make equal streams. */
struct made_how {
    const void *profile; /* its address; NULL if the stream does not depend on it */
    size_t kept;         /* its level in recompress.kept, or IDMAP_NONE */
    bool keep_all;       /* compress_keep_all was called (compress/compress/compress.h) */
    bool screens;        /* profile_is_for_screens (compress/images/profile.h) */
};

struct made {
    struct made_stream *list; /* by node */
    size_t n, bytes;
};

/* Copies what was made of object `i` in the same way. False if that is not known. */
bool made_find(const struct made *made, size_t i, const struct made_how *how,
               struct new_stream *out);
/* Remembers a copy in place of the last one of object `i`, if there is memory. `n`: the number of
 * objects of the document. */
void made_keep(struct made *made, size_t n, size_t i, const struct made_how *how,
               const struct new_stream *stream);
void made_free(struct made *made);
