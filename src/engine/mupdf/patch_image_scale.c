/*
 * patch_image_scale: decodes images that are drawn at exactly half their size, a quarter and so on,
 * directly at that size, which for a JPEG takes less than half the time. MuPDF does the same, but
 * not where the size fits exactly, as for a scan of 300 dpi that is drawn at 150. Pixels differ by
 * up to a few levels, so this is for lossy formats: contexts with engine_own(ctx)->lossy.
 */
#include <math.h>

#include "engine/mupdf/budgeted_image.h"
#include "engine/mupdf/engine.h"

#define MARGIN 2  /* MuPDF halves only if the result exceeds the target by this many pixels */
#define SHRINK 3  /* pixels, more than MARGIN: shrinks the target so that MuPDF halves once more */
#define LEAST  64 /* pixels of a side: below, there is nothing to gain */

__typeof__(fz_get_pixmap_from_image) __real_fz_get_pixmap_from_image;
__typeof__(fz_get_pixmap_from_image) __wrap_fz_get_pixmap_from_image;

/* How often the image can be halved and still exceed w x h by the margin. */
static int halvings(const fz_image *image, float w, float h, int margin)
{
    int n = 0;

    while (n < 6 && (float) (image->w >> (n + 1)) >= w + (float) margin &&
           (float) (image->h >> (n + 1)) >= h + (float) margin)
        n++;
    return n;
}

/* `matrix` places the image on the page. If only an area of the image is decoded, *matrix is that
 * of the area on return: the change that MuPDF made to the shrunken matrix is applied to *matrix.
 */
static fz_pixmap *read_scaled(fz_context *ctx, fz_image *image, const fz_irect *area,
                              fz_matrix *matrix, int *w, int *h)
{
    fz_matrix before, after;
    const struct engine_own *own = engine_own(ctx);
    fz_pixmap *pixmap;
    float dw, dh;

    if (!matrix || !own || !own->lossy)
        return __real_fz_get_pixmap_from_image(ctx, image, area, matrix, w, h);
    dw = sqrtf(matrix->a * matrix->a + matrix->b * matrix->b);
    dh = sqrtf(matrix->c * matrix->c + matrix->d * matrix->d);
    if (dw < LEAST || dh < LEAST || halvings(image, dw, dh, 0) == halvings(image, dw, dh, MARGIN))
        return __real_fz_get_pixmap_from_image(ctx, image, area, matrix, w, h);
    before = fz_pre_scale(*matrix, (dw - SHRINK) / dw, (dh - SHRINK) / dh);
    after = before;
    pixmap = __real_fz_get_pixmap_from_image(ctx, image, area, &after, w, h);
    *matrix = fz_concat(fz_concat(after, fz_invert_matrix(before)), *matrix);
    if (w)
        *w = (int) dw;
    if (h)
        *h = (int) dh;
    return pixmap;
}

/* An image that was decoded before is found in MuPDF's cache: its damage is noted again. */
fz_pixmap *__wrap_fz_get_pixmap_from_image(fz_context *ctx, fz_image *image, const fz_irect *area,
                                           fz_matrix *matrix, int *w, int *h)
{
    fz_pixmap *pixmap = read_scaled(ctx, image, area, matrix, w, h);

    budgeted_image_note(ctx, image);
    return pixmap;
}
