#include "image/png_read.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct source {
    const struct buf *file;
    size_t at;
};

static void read_bytes(png_structp png, png_bytep to, size_t n)
{
    struct source *source = png_get_io_ptr(png);

    if (n > source->file->len - source->at)
        png_error(png, "short");
    memcpy(to, source->file->data + source->at, n);
    source->at += n;
}

static void refuse(png_structp png, png_const_charp text)
{
    png_error(png, text);
}

static void read_image(png_structp png, png_infop info, struct png_read *out)
{
    png_read_info(png, info);
    out->width = png_get_image_width(png, info);
    out->height = png_get_image_height(png, info);
    out->bits = png_get_bit_depth(png, info);
    out->color_type = png_get_color_type(png, info);
    out->x_per_metre = png_get_x_pixels_per_meter(png, info);
    png_set_expand(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_read_update_info(png, info);
    out->rgba = malloc((size_t) 4 * out->width * out->height);
    for (uint32_t y = 0; y < out->height; y++)
        png_read_row(png, out->rgba + (size_t) 4 * y * out->width, NULL);
    png_read_end(png, NULL);
}

bool png_read(const struct buf *file, struct png_read *out)
{
    struct source source = { file, 0 };
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, refuse);
    png_infop info = png_create_info_struct(png);

    memset(out, 0, sizeof *out);
    png_set_read_fn(png, &source, read_bytes);
    if (setjmp(png_jmpbuf(png)) != 0) {
        png_destroy_read_struct(&png, &info, NULL);
        return false;
    }
    read_image(png, info, out);
    png_destroy_read_struct(&png, &info, NULL);
    return source.at == file->len;
}
