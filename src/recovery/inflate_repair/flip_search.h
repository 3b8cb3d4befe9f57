/*
 * flip_search: repairs zlib streams (RFC 1950) with single flipped bits, as in failing memory and
 * on old disks. The decoder fails soon after such a bit, so the bits before that place are tried,
 * and the checksum proves that the right ones were found.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the original stream, if it decodes to at most `max` bytes. False if a few flips do not
 * make it correct. Trials use up at most a part of `effort` (recovery/inflate_repair/zstream.h). */
bool flip_search(const unsigned char *data, size_t n, size_t max, size_t *effort, struct buf *out);
