/*
 * patch_color: makes MuPDF convert CMYK and Lab as color.h describes, single colours and images.
 * Both functions are private to MuPDF.
 */
#include <stdbool.h>
#include <string.h>

#include "engine/mupdf/color.h"
#include "engine/mupdf/private.h"

/* Colours are premultiplied by alpha in both pixmaps. */
static void convert_lab_row(fz_context *ctx, private_convert_color *convert, const fz_pixmap *from,
                            const uint8_t *p, const fz_pixmap *to, uint8_t *q)
{
    int colors = to->n - to->alpha;

    for (int x = 0; x < from->w; x++, p += from->n, q += to->n) {
        uint8_t alpha = from->alpha ? p[3] : 255;
        float whole = alpha ? 255.0F / alpha : 0, rgb[4] = { 0 };
        float lab[4] = { p[0] * whole * 100 / 255, p[1] * whole - 128, p[2] * whole - 128 };

        convert(ctx, NULL, lab, rgb);
        for (int i = 0; i < colors; i++)
            q[i] = (uint8_t) (fz_clamp(rgb[i], 0, 1) * alpha + 0.5F);
        if (to->alpha)
            q[colors] = alpha;
    }
}

/* False: the image is not Lab, or must be converted to a space of more than 4 channels. */
static bool convert_lab(fz_context *ctx, const fz_pixmap *from, fz_pixmap *to)
{
    private_convert_color *convert = NULL;

    if (fz_colorspace_type(ctx, from->colorspace) == FZ_COLORSPACE_LAB && !from->s && !to->s &&
        from->n == 3 + from->alpha && to->n - to->alpha <= 4)
        convert = __real_fz_lookup_fast_color_converter(ctx, from->colorspace, to->colorspace);
    for (int y = 0; convert && y < from->h && y < to->h; y++)
        convert_lab_row(ctx, convert, from, from->samples + y * from->stride, to,
                        to->samples + y * to->stride);
    return convert != NULL;
}

static void color_to_rgb(fz_context *ctx, void *converter, const float *from, float *to)
{
    (void) ctx, (void) converter;
    color_cmyk_to_rgb_float(from, to);
}

static void color_to_gray(fz_context *ctx, void *converter, const float *from, float *to)
{
    float rgb[3];

    (void) ctx, (void) converter;
    color_cmyk_to_rgb_float(from, rgb);
    to[0] = rgb[0] * 0.3F + rgb[1] * 0.59F + rgb[2] * 0.11F;
}

private_convert_color *__wrap_fz_lookup_fast_color_converter(fz_context *ctx, fz_colorspace *from,
                                                             fz_colorspace *to)
{
    if (fz_colorspace_type(ctx, from) == FZ_COLORSPACE_CMYK) {
        if (fz_colorspace_type(ctx, to) == FZ_COLORSPACE_RGB)
            return color_to_rgb;
        if (fz_colorspace_type(ctx, to) == FZ_COLORSPACE_GRAY)
            return color_to_gray;
    }
    return __real_fz_lookup_fast_color_converter(ctx, from, to);
}

/* Converts one pixel; colours are premultiplied by alpha in both. */
static void convert_pixel(const uint8_t *from, uint8_t alpha, uint8_t *to, int colors)
{
    uint8_t inks[4];

    memcpy(inks, from, sizeof inks);
    for (int i = 0; i < 4 && alpha > 0 && alpha < 255; i++)
        inks[i] = (uint8_t) (from[i] >= alpha ? 255 : from[i] * 255 / alpha);
    if (colors == 3)
        color_cmyk_to_rgb(inks, to);
    else
        to[0] = color_cmyk_to_gray(inks);
    for (int i = 0; i < colors && alpha < 255; i++)
        to[i] = (uint8_t) ((to[i] * alpha + 127) / 255);
}

static void convert_row(const fz_pixmap *from, const uint8_t *p, fz_pixmap *to, uint8_t *q)
{
    int colors = to->n - to->alpha;
    const uint8_t *before = NULL, *result = NULL;

    for (int x = 0; x < from->w; x++, p += from->n, q += to->n) {
        uint8_t alpha = from->alpha ? p[4] : 255;

        if (before && memcmp(before, p, from->n) == 0)
            memcpy(q, result, (size_t) colors);
        else
            convert_pixel(p, alpha, q, colors);
        if (to->alpha)
            q[colors] = alpha;
        before = p;
        result = q;
    }
}

void __wrap_fz_convert_fast_pixmap_samples(fz_context *ctx, const fz_pixmap *from, fz_pixmap *to,
                                           int copy_spots)
{
    enum fz_colorspace_type wanted = fz_colorspace_type(ctx, to->colorspace);

    if (convert_lab(ctx, from, to))
        return;
    if (fz_colorspace_type(ctx, from->colorspace) != FZ_COLORSPACE_CMYK || from->s || to->s ||
        from->n != 4 + from->alpha ||
        (wanted != FZ_COLORSPACE_RGB && wanted != FZ_COLORSPACE_GRAY)) {
        __real_fz_convert_fast_pixmap_samples(ctx, from, to, copy_spots);
        return;
    }
    for (int y = 0; y < from->h && y < to->h; y++)
        convert_row(from, from->samples + y * from->stride, to, to->samples + y * to->stride);
}
