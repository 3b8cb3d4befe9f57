/*
 * swift: quicker ways for some of what MuPDF does for every pixel, with the same outcome. They take
 * the place of its functions (link_args of render_dep); what they are not made for goes on to
 * those.
 */
#include <math.h>
#include <mupdf/fitz.h>

#include "image/blend.h"
#include "image/enlarge.h"
#include "image/scale.h"

/* Not in MuPDF's headers. */
typedef struct fz_scale_cache fz_scale_cache;
typedef struct fz_overprint fz_overprint;

void __real_fz_blend_pixmap(fz_context *ctx, fz_pixmap *to, fz_pixmap *from, int alpha, int mode,
                            int isolated, const fz_pixmap *shape);
void __wrap_fz_blend_pixmap(fz_context *ctx, fz_pixmap *to, fz_pixmap *from, int alpha, int mode,
                            int isolated, const fz_pixmap *shape);
fz_pixmap *__real_fz_scale_pixmap_cached(fz_context *ctx, const fz_pixmap *from, float x, float y,
                                         float w, float h, const fz_irect *clip,
                                         fz_scale_cache *cache_x, fz_scale_cache *cache_y);
fz_pixmap *__wrap_fz_scale_pixmap_cached(fz_context *ctx, const fz_pixmap *from, float x, float y,
                                         float w, float h, const fz_irect *clip,
                                         fz_scale_cache *cache_x, fz_scale_cache *cache_y);
/* NOLINTBEGIN(readability-function-size): MuPDF's */
void __real_fz_paint_image(fz_context *ctx, fz_pixmap *to, const fz_irect *scissor,
                           fz_pixmap *shape, fz_pixmap *group_alpha, fz_pixmap *from,
                           fz_matrix matrix, int alpha, int mixed, const fz_overprint *overprint);
void __wrap_fz_paint_image(fz_context *ctx, fz_pixmap *to, const fz_irect *scissor,
                           fz_pixmap *shape, fz_pixmap *group_alpha, fz_pixmap *from,
                           fz_matrix matrix, int alpha, int mixed, const fz_overprint *overprint);
/* NOLINTEND(readability-function-size) */

/* By MuPDF's modes; those that are missing are its own to do. */
static const struct {
    bool known;
    enum blend_mode mode;
} modes[FZ_BLEND_LUMINOSITY + 1] = {
    [FZ_BLEND_NORMAL] = { true, BLEND_NORMAL },
    [FZ_BLEND_MULTIPLY] = { true, BLEND_MULTIPLY },
    [FZ_BLEND_SCREEN] = { true, BLEND_SCREEN },
    [FZ_BLEND_OVERLAY] = { true, BLEND_OVERLAY },
    [FZ_BLEND_DARKEN] = { true, BLEND_DARKEN },
    [FZ_BLEND_LIGHTEN] = { true, BLEND_LIGHTEN },
    [FZ_BLEND_HARD_LIGHT] = { true, BLEND_HARD_LIGHT },
    [FZ_BLEND_DIFFERENCE] = { true, BLEND_DIFFERENCE },
    [FZ_BLEND_EXCLUSION] = { true, BLEND_EXCLUSION },
};

static bool is_ours(fz_context *ctx, const fz_pixmap *to, const fz_pixmap *from, int mode)
{
    int colors = from->n - from->alpha;

    return mode >= 0 && mode <= FZ_BLEND_LUMINOSITY && modes[mode].known && from->alpha == 1 &&
           (colors == 1 || colors == 3) && from->s == 0 && to->s == 0 &&
           to->n - to->alpha == colors && (to->alpha == 0 || to->alpha == 1) &&
           !fz_colorspace_is_subtractive(ctx, from->colorspace);
}

void __wrap_fz_blend_pixmap(fz_context *ctx, fz_pixmap *to, fz_pixmap *from, int alpha, int mode,
                            int isolated, const fz_pixmap *shape)
{
    fz_irect box = fz_intersect_irect(fz_pixmap_bbox(ctx, from), fz_pixmap_bbox(ctx, to));

    if (!isolated || !is_ours(ctx, to, from, mode)) {
        __real_fz_blend_pixmap(ctx, to, from, alpha, mode, isolated, shape);
        return;
    }
    for (int y = box.y0; y < box.y1 && box.x0 < box.x1; y++) {
        uint8_t *p =
            from->samples + (y - from->y) * from->stride + (ptrdiff_t) (box.x0 - from->x) * from->n;
        uint8_t *q = to->samples + (y - to->y) * to->stride + (ptrdiff_t) (box.x0 - to->x) * to->n;
        size_t n = (size_t) (box.x1 - box.x0);

        if (alpha < 255)
            blend_fade(p, n * from->n, (uint8_t) alpha);
        blend_row(modes[mode].mode, from->n - 1, to->alpha, q, p, n);
    }
}

/* One side of what is drawn: at `at`, `size` long (below 0: mirrored), between two edges. False: it
 * does not begin and end with whole pixels. */
static bool side_of(float at, float size, int from, int low, int high, struct scale_side *side,
                    int *begin)
{
    int start, length;

    if (!(fabsf(at) < 1 << 24) || !(fabsf(size) < 1 << 24) || !(fabsf(size) >= 1) ||
        at != floorf(at) || size != floorf(size) || from < 2)
        return false;
    length = (int) fabsf(size);
    start = (int) at - (size < 0 ? length : 0);
    low = low > start ? low : start;
    high = high < start + length ? high : start + length;
    if (low >= high)
        return false;
    *side = (struct scale_side){ .from = (size_t) from,
                                 .to = (size_t) length,
                                 .first = (size_t) (low - start),
                                 .last = (size_t) (high - start),
                                 .flip = size < 0 };
    *begin = low;
    return true;
}

fz_pixmap *__wrap_fz_scale_pixmap_cached(fz_context *ctx, const fz_pixmap *from, float x, float y,
                                         float w, float h, const fz_irect *clip,
                                         fz_scale_cache *cache_x, fz_scale_cache *cache_y)
{
    fz_irect box = clip ? *clip : fz_infinite_irect;
    struct scale_side across, down;
    fz_pixmap *to;
    int left, top;

    if (from->n < 1 || from->n > 4 || from->s ||
        !side_of(x, w, from->w, box.x0, box.x1, &across, &left) ||
        !side_of(y, h, from->h, box.y0, box.y1, &down, &top))
        return __real_fz_scale_pixmap_cached(ctx, from, x, y, w, h, clip, cache_x, cache_y);
    to = fz_new_pixmap(ctx, from->colorspace, (int) (across.last - across.first),
                       (int) (down.last - down.first), from->seps, from->alpha);
    to->x = left;
    to->y = top;
    if (!scale(from->samples, (size_t) from->stride, to->samples, (size_t) to->stride, from->n,
               &across, &down)) {
        fz_drop_pixmap(ctx, to);
        fz_throw(ctx, FZ_ERROR_MEMORY, "a picture");
    }
    return to;
}

/* Whether MuPDF would mix the pixels of such a picture: it is enlarged, but not so much that its
 * pixels are to be seen. */
static bool is_mixed(const fz_pixmap *from, fz_matrix matrix)
{
    float w = fabsf(matrix.a), h = fabsf(matrix.d);
    int most = from->flags & FZ_PIXMAP_FLAG_INTERPOLATE ? ENLARGE_MAX_SIDE : 2;

    return (w > (float) from->w || h > (float) from->h) && w <= (float) from->w * (float) most &&
           h <= (float) from->h * (float) most;
}

static bool can_enlarge(const fz_pixmap *to, const fz_pixmap *from, fz_matrix matrix)
{
    int colors = to->n - to->alpha;

    return from->alpha == 0 && from->s == 0 && to->s == 0 && to->alpha <= 1 &&
           (from->n == 1 || from->n == 3) && (colors == from->n || colors == 3) &&
           from->w <= ENLARGE_MAX_SIDE && from->h <= ENLARGE_MAX_SIDE && matrix.b == 0 &&
           matrix.c == 0 && is_mixed(from, matrix);
}

/* In the numbers MuPDF has, so that they round as its do. `from`: pixels of the picture. */
static bool place_of(float scale, float offset, int from, int first, int n,
                     struct enlarge_place *place)
{
    fz_matrix matrix = fz_pre_scale((fz_matrix){ scale, 0, 0, scale, offset, offset },
                                    1.0F / (float) from, 1.0F / (float) from);
    float step, at;

    matrix = fz_invert_matrix(matrix);
    step = matrix.a * (1 << ENLARGE_BITS);
    at = step * (float) first + matrix.e * (1 << ENLARGE_BITS) + step * .5F;
    if (!(fabsf(at) + fabsf(step) * (float) n < 1 << 30))
        return false;
    *place = (struct enlarge_place){ (int) at - (1 << (ENLARGE_BITS - 1)), (int) step };
    return true;
}

/* NOLINTNEXTLINE(readability-function-size) */
void __wrap_fz_paint_image(fz_context *ctx, fz_pixmap *to, const fz_irect *scissor,
                           fz_pixmap *shape, fz_pixmap *group_alpha, fz_pixmap *from,
                           fz_matrix matrix, int alpha, int mixed, const fz_overprint *overprint)
{
    fz_irect box = fz_irect_from_rect(fz_transform_rect(fz_unit_rect, matrix));
    struct enlarge_from source = { from->samples, (size_t) from->stride, from->w, from->h,
                                   from->n };
    struct enlarge_place across, down;
    struct enlarge_to target;

    box = fz_intersect_irect(fz_intersect_irect(box, *scissor), fz_pixmap_bbox(ctx, to));
    if (!mixed || alpha != 255 || shape || group_alpha || overprint ||
        !can_enlarge(to, from, matrix) || fz_is_empty_irect(box) ||
        !place_of(matrix.a, matrix.e, from->w, box.x0, box.x1 - box.x0, &across) ||
        !place_of(matrix.d, matrix.f, from->h, box.y0, box.y1 - box.y0, &down)) {
        __real_fz_paint_image(ctx, to, scissor, shape, group_alpha, from, matrix, alpha, mixed,
                              overprint);
        return;
    }
    target = (struct enlarge_to){ .samples = to->samples + (box.y0 - to->y) * to->stride +
                                             (ptrdiff_t) (box.x0 - to->x) * to->n,
                                  .stride = (size_t) to->stride,
                                  .width = box.x1 - box.x0,
                                  .height = box.y1 - box.y0,
                                  .channels = to->n - to->alpha,
                                  .alpha = to->alpha };
    if (!enlarge(&source, &target, &across, &down))
        fz_throw(ctx, FZ_ERROR_MEMORY, "a picture");
}
