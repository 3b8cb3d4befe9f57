/*
 * text_mode: restores files in which a program converted line ends, because it treated the PDF as
 * text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "syntax/pdf/dict.h"

#define TEXT_MODE_LINES 5 /* variants of text_mode_lines */

/*
 * Appends to `out` the file with line ends of one kind converted to another. The `variant`, from 0:
 * CR LF to LF, CR CR LF to LF, LF CR to LF, LF to CR LF, CR to LF. False, and `out` must be
 * dropped, if not nearly all line ends are of the first kind. The caller checks the result
 * (recovery/undo/evidence.h).
 */
bool text_mode_lines(const unsigned char *data, size_t n, unsigned variant, struct buf *out);

/* Finds the line ends that make a zlib stream correct again. `length`: the length in its
 * dictionary. True: `out` is the original stream, and its checksum is right. Trials use up
 * `effort` (recovery/inflate_repair/zstream.h). */
bool text_mode_undo(const unsigned char *data, size_t n, struct text length, size_t *effort,
                    struct buf *out);
