/* patch_jpx: refuses JPEG 2000 images that need more work or memory than image_budget.h allows. */
#include "engine/mupdf/image_budget.h"

__typeof__(fz_load_jpx) __real_fz_load_jpx, __wrap_fz_load_jpx;

fz_pixmap *__wrap_fz_load_jpx(fz_context *ctx, const unsigned char *data, size_t n,
                              fz_colorspace *space)
{
    if (!image_budget_spend_jpx(data, n))
        fz_throw(ctx, FZ_ERROR_GENERIC, "an image needs too much work to be decoded");
    return __real_fz_load_jpx(ctx, data, n, space);
}
