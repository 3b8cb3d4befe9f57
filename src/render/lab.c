#include "render/lab.h"

typedef void convert_fn(fz_context *ctx, void *converter, const float *from, float *to);
/* MuPDF's, of single colours; not in its headers. */
convert_fn *fz_lookup_fast_color_converter(fz_context *ctx, fz_colorspace *from, fz_colorspace *to);

static bool is_lab(fz_context *ctx, fz_colorspace *space)
{
    return fz_colorspace_type(ctx, space) == FZ_COLORSPACE_LAB;
}

/* The numbers that the lowest and the highest sample mean: what the picture says, or its space. */
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

void lab_decode(fz_context *ctx, fz_image *image, pdf_obj *object)
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

/* Colours are multiplied by alpha in both. */
static void convert_row(fz_context *ctx, convert_fn *convert, const fz_pixmap *from,
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

bool lab_convert(fz_context *ctx, const fz_pixmap *from, fz_pixmap *to)
{
    convert_fn *convert = NULL;

    if (is_lab(ctx, from->colorspace) && !from->s && !to->s && from->n == 3 + from->alpha &&
        to->n - to->alpha <= 4)
        convert = fz_lookup_fast_color_converter(ctx, from->colorspace, to->colorspace);
    for (int y = 0; convert && y < from->h && y < to->h; y++)
        convert_row(ctx, convert, from, from->samples + y * from->stride, to,
                    to->samples + y * to->stride);
    return convert != NULL;
}
