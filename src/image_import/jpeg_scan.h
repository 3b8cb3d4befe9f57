/*
 * jpeg_scan: whether the entropy-coded data of a JPEG's scans (ITU-T T.81, annex B) can be what the
 * frame header says, without decoding it: restart markers come in order and as many as there must
 * be, and no scan is shorter than the shortest that could hold so many blocks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jpeg_component {
    unsigned id, h, v; /* sampling factors, 1 to 4 */
    bool seen;         /* a scan had its first data */
};

struct jpeg_frame {
    unsigned width, height, n; /* components: 1, 3 or 4 */
    bool progressive;
    unsigned restart_interval; /* MCUs; 0: none */
    struct jpeg_component components[4];
};

/*
 * Judges the scan whose header is `head` and whose data begins at `data`; the data ends before the
 * first marker that is no restart marker. NULL: it is well; else what is wrong.
 */
const char *jpeg_scan(struct jpeg_frame *frame, const uint8_t *head, size_t n_head,
                      const uint8_t *data, size_t n);
/* NULL if every component was seen. */
const char *jpeg_missing(const struct jpeg_frame *frame);
