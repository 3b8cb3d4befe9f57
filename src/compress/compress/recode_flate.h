/* recode_flate: replaces the data of a stream, without loss. */
#pragma once

#include "compress/compress/pack.h"

/* Compresses the data of `out` again, which is that of `stream`, if that makes it smaller. */
void recode_flate(struct obj stream, struct pack_stream *out);
/* Replaces the data by `data` with one filter. False when out of memory. */
bool recode_replace(struct pack_stream *out, struct buf *data, const char *filter);
