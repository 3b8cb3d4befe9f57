/* pack: compresses bodies of responses. */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "server/http/request.h"

/* Packs the body as a gzip file (RFC 1952). -1 when memory is short: the body is as it was. */
int pack_gzip(struct buf *body);

/* Whether the client reads gzip. A weight of zero refuses it, which no browser sends. */
bool pack_is_accepted(const struct http_request *req);
