/*
 * Input: a picture file of any kind. Every picture in it is described and packed; what comes out
 * must be within what was promised, and all of its data is looked at.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "fuzz.h"
#include "image/import/image.h"

#define PAGES 8 /* looked at: a TIFF can have its pages without end of a few bytes each */

static unsigned sum; /* so that reading is not optimised away */

static void touch(const struct image_data *data)
{
    for (size_t i = 0; i < data->n; i++)
        for (size_t k = 0; k < data->pieces[i].iov_len; k++)
            sum += ((const uint8_t *) data->pieces[i].iov_base)[k];
}

static void judge(const struct image *image)
{
    if (image->width == 0 || image->height == 0 ||
        (int64_t) image->width * image->height > IMAGE_PIXELS)
        abort();
    if (image->space == IMAGE_INDEXED && (image->n_palette == 0 || image->n_palette > 256))
        abort();
    if (image->data.n == 0)
        abort();
    touch(&image->data);
    touch(&image->mask);
    for (size_t i = 0; i < image->colour.icc_bytes; i++)
        sum += image->colour.icc[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct err err;
    AUTO_CLOSE int fd = fdio_memory_file(&err);
    AUTO_IMAGE_FILE struct image_file *file = NULL;
    struct image image;

    if (fd < 0 || fdio_write(fd, data, n, &err) < 0)
        return 0;
    file = image_open(fd, (int64_t) n, &err);
    for (int i = 0; file && i < PAGES && image_next(file, &image, &err) > 0; i++)
        judge(&image);
    return 0;
}
