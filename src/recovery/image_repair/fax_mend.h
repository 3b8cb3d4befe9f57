/*
 * fax_mend: decodes CCITT fax images (ITU-T T.4 and T.6; ISO 32000-1, 7.4.6) that are damaged in
 * the middle.
 *
 * In T.6 each line is coded by its differences from the line above, so that after damage reading
 * can begin again only below a white line. A white line below another one is the single bit 1: a
 * row of ones may be several white lines. In T.4 a line that is coded without the line above
 * follows an end-of-line code, which occurs nowhere else. The lines that are read up to the end of
 * the data become the last lines of the image, and lines that are missing above them are white.
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
 * bounded by the size of the data and of the image. *lost: number of lines that are missing. */
enum fax_state fax_mend(const uint8_t *data, size_t n, const struct fax *fax, struct buf *out,
                        size_t *lost);
