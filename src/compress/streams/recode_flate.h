/* recode_flate: replaces the data of a stream, without loss. */
#pragma once

#include "compress/streams/new_stream.h"
#include "pdf/object/obj.h"

/* Compresses the data of `out` again, which is that of `stream`, if that makes it smaller. */
void recode_flate(struct obj stream, struct new_stream *out);
