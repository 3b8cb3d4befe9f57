#include "engine/page_image/blank_page.h"

#include <stdlib.h>

#include "base/scope.h"
#include "engine/mupdf/engine.h"
#include "engine/page_image/ink.h"
#include "engine/page_image/page_drawing.h"

#define WIDTH    800   /* pixels: 97 dpi for A4 */
#define MAX_SIDE 16000 /* pixels of a long page */

static int draw(const struct page_drawing *drawing, fz_context *ctx, uint8_t *pixels,
                struct damage *damage, struct err *err)
{
    return page_drawing_draw(drawing, ctx, 0, drawing->height, pixels, damage, err);
}

/* Whether two pictures differ, each measured from its own paper: what is drawn besides pictures is
 * a mark if it can be seen. A background that covers the page evenly is paper. */
static bool differ(const uint8_t *a, const struct ink *ink_a, const uint8_t *b,
                   const struct ink *ink_b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (abs((a[i] - ink_a->paper) - (b[i] - ink_b->paper)) >= INK_CONTRAST / 2)
            return true;
    return false;
}

static int check_pixels(struct page_drawing *drawing, fz_context *ctx, uint8_t *pixels, bool *blank,
                        struct damage *damage, struct err *err)
{
    size_t n = (size_t) drawing->width * (size_t) drawing->height;
    uint8_t *pictures = pixels + n;
    struct ink ink, of_pictures;

    if (draw(drawing, ctx, pixels, damage, err) < 0 ||
        ink_find(pixels, drawing->width, drawing->height, &ink, err) < 0)
        return -1;
    *blank = !ink.marks;
    if (ink.marks || !ink.any)
        return 0;
    drawing->pictures_only = true;
    if (draw(drawing, ctx, pictures, damage, err) < 0 ||
        ink_find(pictures, drawing->width, drawing->height, &of_pictures, err) < 0)
        return -1;
    *blank = !differ(pixels, &ink, pictures, &of_pictures, n);
    return 0;
}

int blank_page_check(struct mupdf_document *doc, size_t page, bool *blank, struct damage *damage,
                     struct err *err)
{
    static const struct page_drawing_options options = {
        .width = WIDTH, .kind = PIXMAP_GRAY, .annotations = true, .max_side = MAX_SIDE
    };
    struct page_drawing drawing;
    uint8_t *pixels;
    int done;

    *blank = false;
    if (page_drawing_open(&drawing, doc, page, &options, err) < 0)
        return -1;
    *damage = drawing.damage;
    pixels = calloc((size_t) drawing.width * (size_t) drawing.height, 2);
    done = pixels ? check_pixels(&drawing, doc->ctx, pixels, blank, damage, err)
                  : engine_no_memory(err);
    *blank = *blank && !drawing.damaged && damage->n == 0;
    free(pixels);
    page_drawing_close(&drawing, doc);
    return done;
}
