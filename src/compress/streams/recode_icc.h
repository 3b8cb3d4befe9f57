/* recode_icc: removes from the stream of an ICC profile what no reader needs. */
#pragma once

#include "compress/icc/icc_trim.h"
#include "compress/streams/new_stream.h"
#include "pdf/object/obj.h"

/* Replaces `out`, the original, by a smaller version, if it finds one. */
void recode_icc(struct obj profile, const struct icc_trim *how, struct new_stream *out);
