/* marks: a device that collects what is drawn on a page besides text, and hands text on. */
#pragma once

#include "mupdf/mupdf_document.h"
#include "page/sheet.h"

struct mark_image {
    fz_image *image; /* kept */
    struct area area;
    bool turned; /* not upright: its own bytes would lie wrong */
};

struct marks {
    struct sheet *sheet; /* takes fills and art */
    struct mark_image *images;
    size_t n_images, cap_images;
};

/* Both may throw. Text goes to `text`. */
fz_device *marks_device(fz_context *ctx, struct marks *marks, fz_device *text);
void marks_free(struct marks *marks, fz_context *ctx);
