/* missed_text: finds letters of a scan that stand in rows and are in none of the words that were
 * recognised: what Tesseract leaves out, it does not say. */
#pragma once

#include "engine/ocr/recognizer.h"

/* A scan at a low resolution. */
struct missed_text {
    uint8_t *samples; /* owned; NULL: there was no memory */
    int width, height;
    double dpi;
};

/* Makes a small copy of a scan that is drawn, before it is read. */
void missed_text_prepare(const struct scan *scan, struct missed_text *out);
/* Sets the parts of the scan that were missed in `out`, whose words are placed as `scan` says, and
 * frees the copy. What there is no memory for is not found. */
void missed_text_find(struct missed_text *missed, const struct scan *scan, struct recognition *out);
