#include "engine/mupdf/color.h"

#include <stddef.h>
#include <string.h>

/* sRGB of the solid overprints. Index: bit 0 cyan, bit 1 magenta, bit 2 yellow. */
static const uint8_t solids[8][3] = { { 255, 255, 255 }, { 0, 174, 239 }, { 236, 0, 140 },
                                      { 46, 48, 146 },   { 255, 242, 0 }, { 0, 166, 80 },
                                      { 237, 28, 36 },   { 54, 54, 57 } };

void color_cmyk_to_rgb(const uint8_t cmyk[static 4], uint8_t rgb[static 3])
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

void color_cmyk_to_rgb_float(const float cmyk[static 4], float rgb[static 3])
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

uint8_t color_cmyk_to_gray(const uint8_t cmyk[static 4])
{
    uint8_t rgb[3];

    color_cmyk_to_rgb(cmyk, rgb);
    return (uint8_t) (((rgb[0] + 1) * 77 + (rgb[1] + 1) * 150 + (rgb[2] + 1) * 28) >> 8);
}

static bool is_lab(fz_context *ctx, fz_colorspace *space)
{
    return fz_colorspace_type(ctx, space) == FZ_COLORSPACE_LAB;
}

/* Finds the values of the lowest and the highest sample, by /Decode or by the colour space. */
static void read_decode(fz_context *ctx, pdf_obj *object, float decode[static 6])
{
    static const float usual[6] = { 0, 100, -128, 127, -128, 127 };
    pdf_obj *own = pdf_dict_geta(ctx, object, PDF_NAME(Decode), PDF_NAME(D));
    pdf_obj *space = pdf_dict_geta(ctx, object, PDF_NAME(ColorSpace), PDF_NAME(CS));
    pdf_obj *range = pdf_dict_get(ctx, pdf_array_get(ctx, space, 1), PDF_NAME(Range));

    for (int i = 0; i < 6; i++) {
        decode[i] = usual[i];
        if (pdf_array_len(ctx, own) >= 6)
            decode[i] = pdf_array_get_real(ctx, own, i);
        else if (i >= 2 && pdf_array_len(ctx, range) >= 4)
            decode[i] = pdf_array_get_real(ctx, range, i - 2);
    }
}

void color_lab_decode(fz_context *ctx, fz_image *image, pdf_obj *object)
{
    float decode[6];

    if (!image || !is_lab(ctx, image->colorspace))
        return;
    read_decode(ctx, object, decode);
    image->use_decode = 0;
    for (int i = 0; i < 6; i++) {
        image->decode[i] = i < 2 ? decode[i] / 100 : (decode[i] + 128) / 255;
        if (image->decode[i] != (float) (i % 2))
            image->use_decode = 1;
    }
}
