/* marks: a MuPDF device that collects what is drawn on a page besides text, and passes text on. */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "engine/page_text/clipped_text.h"
#include "layout/page/page_content.h"

struct mark_image {
    fz_image *image; /* kept */
    struct area area;
    uint32_t order;
    bool drawn; /* it is turned, clipped or blended: its own bytes would not look like it */
};

struct marks {
    struct page_content *content; /* fills and drawings are added to it */
    struct mark_image *images;
    size_t n_images, cap_images;
    uint32_t order; /* of the mark that was made last */
    struct clipped_letters clipped;
};

/* Makes the device, which passes text on to the device `text`. May throw. */
fz_device *marks_device(fz_context *ctx, struct marks *marks, fz_device *text);
void marks_free(struct marks *marks, fz_context *ctx);
