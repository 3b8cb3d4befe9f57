/*
 * placed: writes a document as text that keeps its layout: each page is a grid of character cells
 * as wide as most of its characters.
 */
#pragma once

#include <stdio.h>

#include "layout/page/writer.h"

struct placed {
    const char *path; /* of the result; borrowed */
    bool form_feeds;  /* pages are separated by form feeds instead of blank lines */

    /* Private to placed.c. */
    FILE *file;
    bool any;
};

/* A writer of a document to the file at placed->path. Free with placed_free. */
struct writer placed_writer(struct placed *placed);
void placed_free(struct placed *placed);
