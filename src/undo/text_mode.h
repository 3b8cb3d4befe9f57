/*
 * text_mode: damage done by programs that took a PDF for text: line ends of one kind turned into
 * another.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "pdf_syntax/dict.h"

#define TEXT_MODE_LINES 5 /* variants of text_mode_lines */

/*
 * Appends to `out` the file with line ends of one kind turned into another: CR LF, CR CR LF and LF
 * CR into LF, LF into CR LF, CR into LF, by `variant`. False, and `out` to be thrown away, if
 * nearly all line ends are not of the first kind. Whether that is right is for others to judge
 * (undo/evidence.h).
 */
bool text_mode_lines(const unsigned char *data, size_t n, unsigned variant, struct buf *out);

/* Looks for the line ends that make a zlib stream sound again. `length`: what its dictionary gives
 * as its length. True: `out` holds the stream before, and its check sum is right. What is tried
 * takes from `effort` (inflate_repair/zstream.h). */
bool text_mode_undo(const unsigned char *data, size_t n, struct text length, size_t *effort,
                    struct buf *out);
