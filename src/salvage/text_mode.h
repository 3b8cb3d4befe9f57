/*
 * text_mode: damage done by programs that took a PDF for text: line ends of one kind turned into
 * another, bytes above 127 turned into two.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "salvage/dict.h"

/* Whether the whole file was encoded as UTF-8 (from Latin-1 or Windows-1252); then `out` is the
 * file before. False, and out untouched, if it was not. */
bool text_mode_decode(const unsigned char *data, size_t n, struct buf *out);

/* Looks for the line ends that make a zlib stream sound again. `length`: what its dictionary gives
 * as its length. True: `out` holds the stream before, and its check sum is right. What is tried
 * takes from `effort` (salvage/zstream.h). */
bool text_mode_undo(const unsigned char *data, size_t n, struct text length, size_t *effort,
                    struct buf *out);
