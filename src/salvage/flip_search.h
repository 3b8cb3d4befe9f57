/*
 * flip_search: zlib streams (RFC 1950) in which single bits changed, as they do in failing memory
 * and on old disks. Which ones is not written anywhere, but damage shows soon behind them, and the
 * check sum says when all are right again.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the stream as it was. False if no few bits make it sound. What is tried takes from
 * `effort` (salvage/zstream.h), at most a part of it. */
bool flip_search(const unsigned char *data, size_t n, size_t max, size_t *effort, struct buf *out);
