/*
 * line_search: zlib streams in which every CR became a LF. Which LF was a CR is not written
 * anywhere, but a wrong guess spoils the symbols behind it: the guess that goes on reading like the
 * rest is right, and the check sum says so at the end.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends what the stream unpacks to. *proved: the check sum is right. False if there was nothing
 * to choose, or what came of it does not read like text. What is tried takes from `effort`
 * (inflate_repair/zstream.h), and nothing is tried without any. */
bool line_search(const unsigned char *data, size_t n, size_t max, size_t *effort, struct buf *out,
                 bool *proved);
