/*
 * fax_mend: decodes CCITT fax images (ITU-T T.4 and T.6; ISO 32000-1, 7.4.6) that are damaged in
 * the middle.
 *
 * Lines of T.6 are coded by what differs from the line above: after damage it can be read again
 * from a white line on, which is one bit, 1, as often as white lines follow each other. Lines of
 * T.4 that are coded by themselves begin after a code that is nothing else. What is read up to the
 * end of the data ends where the image ends, and lines that are missing are white.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct fax {
    int k; /* below 0: T.6; 0: T.4, one-dimensional; above 0: T.4, mixed */
    bool byte_aligned;
    uint32_t width, rows;
};

enum fax_state {
    FAX_SOUND,
    FAX_MENDED,
    FAX_HOPELESS, /* next to nothing of it can be read, or it is too large */
};

/* Appends the image to `out` if it is damaged: rows of whole bytes, black is 1. Work and memory are
 * bounded by the size of the data and of the image. *lost: lines that are missing. */
enum fax_state fax_mend(const uint8_t *data, size_t n, const struct fax *fax, struct buf *out,
                        size_t *lost);
