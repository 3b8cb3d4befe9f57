/*
 * placed: a document as text whose words keep their places: each page is a grid of character cells,
 * as wide as the characters of most of its text.
 */
#pragma once

#include <stdio.h>

#include "reflow/writer.h"

struct placed {
    const char *path; /* of the result; borrowed */
    bool form_feeds;  /* pages are divided by form feeds instead of blank lines */

    /* For placed.c. */
    FILE *file;
    bool any;
};

struct writer placed_writer(struct placed *placed);
void placed_free(struct placed *placed);
