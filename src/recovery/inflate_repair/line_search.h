/*
 * line_search: repairs zlib streams in which every CR became a LF. Which LF was a CR is unknown,
 * but a wrong guess corrupts the symbols after it: the guess after which decoded data continues
 * like the rest is right, and the checksum confirms it at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the decoded stream, of at most `max` bytes. *proved: the checksum is right. False if
 * there was nothing to choose, or the result does not read like text. Trials use up `effort`
 * (recovery/inflate_repair/zstream.h), and nothing is tried without any. */
bool line_search(const unsigned char *data, size_t n, size_t max, size_t *effort, struct buf *out,
                 bool *proved);
