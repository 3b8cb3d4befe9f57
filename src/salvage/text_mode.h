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

/*
 * Whether every line end of the whole file was turned into the same longer one, CR LF, CR CR LF or
 * LF CR: binary data has others too. Then `out` is the file before, but for places where that had
 * longer ones already. False if the cross-reference table is where the file says it is: it would
 * have moved.
 */
bool text_mode_lines(const unsigned char *data, size_t n, struct buf *out);

/* The byte that a character of Latin-1 or Windows-1252 was, -1: it is of neither. */
int text_mode_byte(unsigned point);

/* Looks for the line ends that make a zlib stream sound again. `length`: what its dictionary gives
 * as its length. True: `out` holds the stream before, and its check sum is right. What is tried
 * takes from `effort` (salvage/zstream.h). */
bool text_mode_undo(const unsigned char *data, size_t n, struct text length, size_t *effort,
                    struct buf *out);
