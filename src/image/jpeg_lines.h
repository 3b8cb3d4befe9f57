/*
 * jpeg_lines: a JPEG image (ITU-T T.81) read from top to bottom, some rows at a time, as pages show
 * it. What is missing at its end is gray; what is damaged ends it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jpeg_lines;

enum jpeg_lines_end {
    JPEG_LINES_MORE,
    JPEG_LINES_DONE,
    JPEG_LINES_DAMAGED,
    JPEG_LINES_NO_MEMORY,
};

/* `data` is to stay until the end. turned: whether the channels are luminance and colour
 * differences (PDF's ColorTransform: 0, 1, or -1 for not said); what Adobe's marker says counts
 * more. The image comes halved that often, 0 to 3. NULL: there is no memory. */
struct jpeg_lines *jpeg_lines_open(const uint8_t *data, size_t n, int turned, unsigned halvings);
void jpeg_lines_close(struct jpeg_lines *lines);

/* The next rows, without anything between them, until the next call; or what ended it. */
enum jpeg_lines_end jpeg_lines_next(struct jpeg_lines *lines, const uint8_t **rows, size_t *n);
