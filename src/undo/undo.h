/*
 * undo: what was done to a file as a whole, found out and undone. What programs do to files is a
 * short list of transformations (text modes, encodings, envelopes, marks), and files meet several
 * of them one after the other. So it is a search: each step tries the inverse of every one that
 * leaves traces, and takes that after which most of the document's own checks are true
 * (undo/evidence.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct undo_report {
    bool unwrapped; /* from what it was sent in */
    bool text_mode; /* its bytes were changed as text */
    size_t steps;
};

/* True: `out` holds the file as it was before; at most `max` bytes. False, and out untouched, if
 * nothing is to be undone. */
bool undo(const unsigned char *data, size_t n, size_t max, struct buf *out,
          struct undo_report *report);
