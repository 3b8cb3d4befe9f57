/*
 * flushed: compressed data that a writer flushed and never ended. Such data lack the last block
 * (RFC 1951, 3.2.3) and the checksum, but everything before the flush is there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether a stream's data end with the empty block of a flush, in a document of n bytes. `offset`:
 * of the first byte of the data, or of the last piece of them that was read. False if the end is
 * not within 64 KiB of there. */
bool flushed_in(const char *document, size_t n, long long offset);
/* The same of a document in a file; false too if it cannot be read. */
bool flushed_in_file(const char *path, long long offset);
