/* redact_picture: makes a page a picture of itself, in which areas are filled. Nothing of its
 * content stays; of its annotations only links do. */
#pragma once

#include <stdbool.h>

#include "engine/mupdf/mupdf_document.h"
#include "engine/redact/redact_shape.h"
#include "pdf/document/doc.h"
#include "pdf/redact/redact_words.h"

struct redact_picture {
    struct pdf_doc *doc;
    struct mupdf_document *shown;     /* the same document */
    const struct redact_hits *hits;   /* areas that are filled, of all pages */
    const struct redact_words *words; /* texts whose places are filled, too */
    const struct redact_quad *spots;  /* more places */
    size_t n_spots;
    unsigned char pixel; /* with what: 0, black, to 255, white */
};

/* Replaces the page with this index. ERR_LIMIT_EXCEEDED, ERR_CORRUPT_FILE. */
int redact_picture_page(const struct redact_picture *picture, size_t index, struct err *err);
