#include "render/cmyk.h"
#include <stddef.h>

#include <mupdf/fitz.h>
#include <string.h>

#include "render/lab.h"

/* The solids: bit 0 cyan, 1 magenta, 2 yellow. */
static const uint8_t solids[8][3] = { { 255, 255, 255 }, { 0, 174, 239 }, { 236, 0, 140 },
                                      { 46, 48, 146 },   { 255, 242, 0 }, { 0, 166, 80 },
                                      { 237, 28, 36 },   { 54, 54, 57 } };

void cmyk_to_rgb(const uint8_t cmyk[static 4], uint8_t rgb[static 3])
{
    int ink[3], light = 255 - cmyk[3];

    if ((cmyk[0] | cmyk[1] | cmyk[2]) == 0) {
        memset(rgb, light, 3);
        return;
    }
    for (int i = 0; i < 3; i++)
        ink[i] = cmyk[i] + (cmyk[i] >> 7); /* 0 to 256 */
    for (int i = 0; i < 3; i++) {
        int mixed[4];

        for (int k = 0; k < 4; k++)
            mixed[k] = solids[(ptrdiff_t) 2 * k][i] * 256 +
                       (solids[(ptrdiff_t) 2 * k + 1][i] - solids[(ptrdiff_t) 2 * k][i]) * ink[0];
        mixed[0] += (mixed[1] - mixed[0]) * ink[1] >> 8;
        mixed[2] += (mixed[3] - mixed[2]) * ink[1] >> 8;
        mixed[0] += (mixed[2] - mixed[0]) * ink[2] >> 8;
        rgb[i] = (uint8_t) ((mixed[0] * light + 32640) / 65280);
    }
}

static float limit(float ink)
{
    return ink < 0 ? 0 : ink > 1 ? 1 : ink;
}

void cmyk_to_rgb_float(const float cmyk[static 4], float rgb[static 3])
{
    float c = limit(cmyk[0]), m = limit(cmyk[1]), y = limit(cmyk[2]), light = 1 - limit(cmyk[3]);

    for (int i = 0; i < 3; i++) {
        float mixed[4];

        for (int k = 0; k < 4; k++)
            mixed[k] = (float) solids[(ptrdiff_t) 2 * k][i] * (1 - c) +
                       (float) solids[(ptrdiff_t) 2 * k + 1][i] * c;
        mixed[0] = mixed[0] * (1 - m) + mixed[1] * m;
        mixed[2] = mixed[2] * (1 - m) + mixed[3] * m;
        rgb[i] = (mixed[0] * (1 - y) + mixed[2] * y) / 255 * light;
    }
}

uint8_t cmyk_to_gray(const uint8_t cmyk[static 4])
{
    uint8_t rgb[3];

    cmyk_to_rgb(cmyk, rgb);
    return (uint8_t) (((rgb[0] + 1) * 77 + (rgb[1] + 1) * 150 + (rgb[2] + 1) * 28) >> 8);
}

/* MuPDF's own, and ours in their place: not in its headers, but called through these. */
typedef void convert_fn(fz_context *ctx, void *converter, const float *from, float *to);
convert_fn *__real_fz_lookup_fast_color_converter(fz_context *ctx, fz_colorspace *from,
                                                  fz_colorspace *to);
convert_fn *__wrap_fz_lookup_fast_color_converter(fz_context *ctx, fz_colorspace *from,
                                                  fz_colorspace *to);
void __real_fz_convert_fast_pixmap_samples(fz_context *ctx, const fz_pixmap *from, fz_pixmap *to,
                                           int copy_spots);
void __wrap_fz_convert_fast_pixmap_samples(fz_context *ctx, const fz_pixmap *from, fz_pixmap *to,
                                           int copy_spots);

static void color_to_rgb(fz_context *ctx, void *converter, const float *from, float *to)
{
    (void) ctx, (void) converter;
    cmyk_to_rgb_float(from, to);
}

static void color_to_gray(fz_context *ctx, void *converter, const float *from, float *to)
{
    float rgb[3];

    (void) ctx, (void) converter;
    cmyk_to_rgb_float(from, rgb);
    to[0] = rgb[0] * 0.3F + rgb[1] * 0.59F + rgb[2] * 0.11F;
}

convert_fn *__wrap_fz_lookup_fast_color_converter(fz_context *ctx, fz_colorspace *from,
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

/* One pixel; colours are multiplied by alpha in both. */
static void convert_pixel(const uint8_t *from, uint8_t alpha, uint8_t *to, int colors)
{
    uint8_t inks[4];

    memcpy(inks, from, sizeof inks);
    for (int i = 0; i < 4 && alpha > 0 && alpha < 255; i++)
        inks[i] = (uint8_t) (from[i] >= alpha ? 255 : from[i] * 255 / alpha);
    if (colors == 3)
        cmyk_to_rgb(inks, to);
    else
        to[0] = cmyk_to_gray(inks);
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

    if (lab_convert(ctx, from, to))
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
