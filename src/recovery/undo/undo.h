/*
 * undo: finds and undoes transformations of a whole file. Programs apply few transformations to
 * files (text modes, encodings, envelopes, records), sometimes several one after the other. So this
 * is a search: each step tries the inverse of every transformation that leaves traces, and takes
 * the one after which most of the document's own checks are correct (recovery/undo/evidence.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct undo_report {
    bool unwrapped; /* it was in an envelope */
    bool text_mode; /* its bytes were converted as text */
    size_t steps;
};

/* Examines the n bytes of a file. True: `out` is the original file, at most `max` bytes. False, and
 * out unchanged, if there is nothing to undo. */
bool undo_file(const unsigned char *data, size_t n, size_t max, struct buf *out,
               struct undo_report *report);
