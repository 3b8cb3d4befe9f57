/* pack: compresses bodies of responses. */
#pragma once

#include "base/buf.h"

/* Packs the body as a gzip file (RFC 1952). -1 when memory is short: the body is as it was. */
int pack_gzip(struct buf *body);
