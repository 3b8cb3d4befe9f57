/* doubt: notes on words that were recognised with little confidence, as annotations that are not
 * shown, with the pictures of the words: for programs that read the document next. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "pdf/object/obj.h"
#include "pdf/text_layer/redraw.h"

/* The key of such an annotation's picture, an image XObject. */
#define DOUBT_PICTURE "/PLTN_Picture"

struct doubt {
    const char *text;      /* of the note, UTF-8 */
    struct redraw_box box; /* of the word, in points of the page as it is displayed */
    const uint8_t *pixels; /* in gray, or NULL */
    uint32_t width, height;
};

/* Adds a note to the page. */
void doubt_add(struct obj page, const struct doubt *doubt);
