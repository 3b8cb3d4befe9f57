/* heic: HEIC and AVIF files, by image/heic/heic.h. Each picture of a file that is not part of
 * another one is read; how it is turned is part of its decoding. */
#include <string.h>

#include "image/heic/heic.h"
#include "image/import/icc.h"
#include "image/import/split.h"

static void read_profile(struct image_file *file, const struct heic_picture *picture,
                         struct image *image)
{
    if (picture->icc_bytes == 0)
        return;
    buf_put(&file->icc, picture->icc, picture->icc_bytes);
    image->icc_dropped =
        file->icc.failed || !icc_fits((const uint8_t *) file->icc.data, file->icc.len, 3);
    if (!image->icc_dropped) {
        image->colour.icc = (const uint8_t *) file->icc.data;
        image->colour.icc_bytes = file->icc.len;
    }
}

static int write_rows(struct image_file *file, const struct heic_picture *picture,
                      struct image *image, struct err *err)
{
    AUTO_SPLIT struct split split = { 0 };
    struct split_shape shape = { .width = picture->width,
                                 .height = picture->height,
                                 .components = 3,
                                 .bits = 8,
                                 .alpha = picture->alpha };

    if (split_start(&split, file, &shape, err) < 0)
        return -1;
    for (uint32_t y = 0; y < picture->height; y++)
        if (split_row(&split, picture->pixels + (size_t) y * picture->stride, err) < 0)
            return -1;
    return split_finish(&split, image, err);
}

static int next_heic(struct image_file *file, struct image *image, struct err *err)
{
    struct heic_picture picture;
    int got;

    if (!file->state)
        file->state = heic_open(file->data, file->n, err);
    if (!file->state)
        return -1;
    got = heic_next(file->state, &picture, err);
    if (got <= 0)
        return got;
    if (image_check_size(file, picture.width, picture.height, err) < 0 ||
        heic_decode(file->state, &picture, err) < 0)
        return -1;
    image->width = picture.width;
    image->height = picture.height;
    image->space = IMAGE_RGB;
    image->bits = 8;
    image->premultiplied = picture.premultiplied;
    read_profile(file, &picture, image);
    return write_rows(file, &picture, image, err) < 0 ? -1 : 1;
}

static void close_heic(struct image_file *file)
{
    heic_close(file->state);
}

const struct image_format image_import_heic = { "heic", next_heic, close_heic };
const struct image_format image_import_avif = { "avif", next_heic, close_heic };
