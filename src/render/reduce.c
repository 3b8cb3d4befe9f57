#include "render/reduce.h"

#include <math.h>

#include "render/engine.h"

#define MARGIN 2  /* pixels by which a halved picture must be too large for MuPDF */
#define SHRINK 3  /* more than that */
#define LEAST  64 /* pixels: smaller pictures are not worth it */

void reduce_exactly(fz_context *ctx, bool wanted)
{
    engine_own(ctx)->reduces = wanted;
}

fz_pixmap *__real_fz_get_pixmap_from_image(fz_context *ctx, fz_image *image, const fz_irect *area,
                                           fz_matrix *matrix, int *w, int *h);
fz_pixmap *__wrap_fz_get_pixmap_from_image(fz_context *ctx, fz_image *image, const fz_irect *area,
                                           fz_matrix *matrix, int *w, int *h);

/* How often the picture can be halved and still has that size, with a margin. */
static int halvings(const fz_image *image, float w, float h, int margin)
{
    int n = 0;

    while (n < 6 && (float) (image->w >> (n + 1)) >= w + (float) margin &&
           (float) (image->h >> (n + 1)) >= h + (float) margin)
        n++;
    return n;
}

/* `matrix` is what the picture is drawn by; on return, if only an area of it was decoded, what that
 * is drawn by. A slightly smaller one makes MuPDF halve once more, and is undone afterwards. */
fz_pixmap *__wrap_fz_get_pixmap_from_image(fz_context *ctx, fz_image *image, const fz_irect *area,
                                           fz_matrix *matrix, int *w, int *h)
{
    fz_matrix before, after;
    const struct engine_own *own = engine_own(ctx);
    fz_pixmap *pixmap;
    float dw, dh;

    if (!matrix || !own || !own->reduces)
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
