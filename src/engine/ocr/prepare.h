/* prepare: makes the picture that Tesseract gets of a scan: upright, straight, with the contrast of
 * print. */
#pragma once

#include <leptonica/allheaders.h>

#include "engine/ocr/recognizer.h"

struct prepared {
    struct Pix *picture;
    double dpi;
    /* From its pixels (y downwards) to points of the page from the bottom left corner: x' = m[0] x
     * + m[2] y + m[4], y' = m[1] x + m[3] y + m[5]. */
    double to_page[6];
    int turned;   /* clockwise */
    double angle; /* by which it was turned back, in degrees */
    /* of a scan whose shapes are searched: the picture with the contrast that it had; NULL: there
     * was no memory */
    struct Pix *before;
};

/* Turns the scan clockwise by 0, 90, 180 or 270 degrees, and makes its lines level.
 * Draws
 * the scan's pixels if they are not there, and frees them. ERR_LIMIT_EXCEEDED when out of memory,
 * or as of scan->draw. */
int prepare_scan(struct scan *scan, int turn, struct prepared *out, struct err *err);
void prepare_free(struct prepared *prepared);
