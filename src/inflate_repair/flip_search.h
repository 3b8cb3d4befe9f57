/*
 * flip_search: zlib streams (RFC 1950) in which single bits changed, as happens in failing
 * memory and on old disks. The decoder fails soon after such a bit, so the bits before that place
 * are tried, and the check sum proves that the right ones were found.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the stream as it was. False if no few bits make it sound. What is tried takes from
 * `effort` (inflate_repair/zstream.h), at most a part of it. */
bool flip_search(const unsigned char *data, size_t n, size_t max, size_t *effort, struct buf *out);
