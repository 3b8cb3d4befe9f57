/* png_decode: decodes PNG files whose pixels must be rearranged, with libpng. */
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "image/import/png_head.h"
#include "image/import/split.h"

/* limit of an interlaced picture, which must be in memory as a whole */
#define WHOLE_MAX ((size_t) 1 << 30)

struct decoder {
    struct image_file *file;
    size_t at; /* offset up to which libpng has read */
    png_structp png;
    png_infop info;
    uint8_t *pixels; /* a row, or all of them */
    uint8_t **rows;
    size_t row_bytes, height;
    bool interlaced;
    struct split split;
};

static void read_bytes(png_structp png, png_bytep out, size_t n)
{
    struct decoder *d = png_get_io_ptr(png);

    if (n > d->file->n - d->at)
        png_error(png, "end");
    memcpy(out, d->file->data + d->at, n);
    d->at += n;
}

static void on_error(png_structp png, png_const_charp text)
{
    (void) text;
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void) png, (void) text;
}

static void free_decoder(struct decoder *d)
{
    png_destroy_read_struct(&d->png, &d->info, NULL);
    free(d->pixels);
    free(d->rows);
    split_free(&d->split);
}

/* libpng reports errors by longjmp: this function owns nothing that cleans itself up. -1: an
 * error. */
static int start_decoder(struct decoder *d, const struct png_head *h)
{
    if (setjmp(png_jmpbuf(d->png)))
        return -1;
    png_set_read_fn(d->png, d, read_bytes);
    png_set_user_limits(d->png, UINT16_MAX, UINT16_MAX);
    /* they were verified before */
    png_set_crc_action(d->png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    png_read_info(d->png, d->info);
    if (h->transparent)
        png_set_expand(d->png);
    d->interlaced = png_set_interlace_handling(d->png) > 1;
    png_read_update_info(d->png, d->info);
    d->row_bytes = png_get_rowbytes(d->png, d->info);
    return 0;
}

static int read_row(struct decoder *d, uint8_t *row)
{
    if (setjmp(png_jmpbuf(d->png)))
        return -1;
    png_read_row(d->png, row, NULL);
    return 0;
}

static int read_rows(struct decoder *d)
{
    if (setjmp(png_jmpbuf(d->png)))
        return -1;
    png_read_image(d->png, d->rows);
    return 0;
}

static int allocate_memory(struct decoder *d, struct err *err)
{
    size_t n = d->row_bytes;

    if (d->interlaced && (!num_mul(d->row_bytes, d->height, &n) || n > WHOLE_MAX))
        return image_no_memory(err);
    d->pixels = malloc(n);
    d->rows = calloc(d->height, sizeof *d->rows);
    if (!d->pixels || !d->rows)
        return image_no_memory(err);
    for (size_t i = 0; d->interlaced && i < d->height; i++)
        d->rows[i] = d->pixels + i * d->row_bytes;
    return 0;
}

static int decode_png(struct decoder *d, const struct png_head *h, struct image *image,
                      struct err *err)
{
    if (start_decoder(d, h) < 0)
        return image_corrupt(d->file, err, "its data cannot be decoded");
    unsigned type = png_get_color_type(d->png, d->info);
    struct split_shape shape = {
        .width = h->width,
        .height = h->height,
        .components = type & PNG_COLOR_MASK_COLOR && type != PNG_COLOR_TYPE_PALETTE ? 3 : 1,
        .bits = png_get_bit_depth(d->png, d->info),
        .alpha = type & PNG_COLOR_MASK_ALPHA,
        .indexed = type == PNG_COLOR_TYPE_PALETTE,
    };
    d->height = h->height;
    image->bits = shape.bits;
    if (!shape.indexed && image->space == IMAGE_INDEXED)
        image->space = IMAGE_RGB;
    if (allocate_memory(d, err) < 0 || split_start(&d->split, d->file, &shape, err) < 0)
        return -1;
    if (d->interlaced && read_rows(d) < 0)
        return image_corrupt(d->file, err, "its data cannot be decoded");
    for (size_t i = 0; i < d->height; i++) {
        if (!d->interlaced && read_row(d, d->pixels) < 0)
            return image_corrupt(d->file, err, "its data cannot be decoded");
        if (split_row(&d->split, d->interlaced ? d->rows[i] : d->pixels, err) < 0)
            return -1;
    }
    return split_finish(&d->split, image, err);
}

int png_decode(struct image_file *file, const struct png_head *h, struct image *image,
               struct err *err)
{
    struct decoder d = { .file = file };
    int done;

    d.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning);
    d.info = d.png ? png_create_info_struct(d.png) : NULL;
    done = d.info ? decode_png(&d, h, image, err) : image_no_memory(err);
    free_decoder(&d);
    return done;
}
