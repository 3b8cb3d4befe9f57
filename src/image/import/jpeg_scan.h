/*
 * jpeg_scan: checks the entropy-coded data of a JPEG's scans (ITU-T T.81, annex B) against the
 * frame header without decoding it: restart markers are complete and in order, and no scan is
 * shorter than the shortest possible one for its number of blocks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jpeg_component {
    unsigned id, h, v; /* sampling factors, 1 to 4 */
    bool seen;         /* a scan had its first coefficients */
    bool exact[64];    /* a scan had the lowest bit of these coefficients */
};

struct jpeg_frame {
    unsigned width, height, n; /* n: number of components, 1, 3 or 4 */
    bool progressive;
    unsigned restart_interval; /* in MCUs; 0: none */
    struct jpeg_component components[4];
};

/*
 * Checks the scan with the header `head` whose data begins at `data`; the data ends before the
 * first marker that is not a restart marker. Returns NULL if it is correct; else what is wrong.
 */
const char *jpeg_scan(struct jpeg_frame *frame, const uint8_t *head, size_t n_head,
                      const uint8_t *data, size_t n);
/* Returns NULL if every component was seen, else what is missing. */
const char *jpeg_missing(const struct jpeg_frame *frame);
/* Whether the scans that were checked have every bit of every component. */
bool jpeg_is_complete(const struct jpeg_frame *frame);
