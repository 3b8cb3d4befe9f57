/* image_mono: recompresses one-bit images as JBIG2, which needs half of the bytes of fax codes.
 * See image_job.h. */
#include <limits.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "compress/images/image_job.h"
#include "compress/streams/recode_flate.h"
#include "image/codec/ccitt_read.h"
#include "image/codec/jbig2_write.h"
#include "image/codec/resample.h"

#define WHOLE_LEAST 0.4 /* in sizes of fax codes: JBIG2 of all pixels needs more than this */

static void invert(struct bitmap *bitmap)
{
    for (size_t i = 0; i < bitmap->stride * bitmap->height; i++)
        bitmap->data[i] = (uint8_t) ~bitmap->data[i];
}

/* The fill bits at the end of each row are irrelevant: zeros compress best. */
static void clear_fill(struct bitmap *bitmap)
{
    if (bitmap->width % 8 == 0)
        return;
    for (size_t y = 0; y < bitmap->height; y++)
        bitmap->data[y * bitmap->stride + bitmap->stride - 1] &=
            (uint8_t) (0xff00 >> bitmap->width % 8);
}

static bool read_ccitt(struct image_job *image, struct bitmap *out)
{
    const struct image_info *info = &image->info;
    struct ccitt_read how = { .k = info->k < 0 ? -1 : info->k > 0,
                              .byte_aligned = info->byte_aligned };

    if (info->packed || info->columns != (long long) info->width)
        return false;
    *out = (struct bitmap){ .width = info->width, .height = info->height };
    if (!ccitt_read((const uint8_t *) image->out->data.data, image->out->data.len, &how, out))
        return false;
    /* Here set is black; with BlackIs1 the samples are so too, which JBIG2 would turn round. */
    if (info->black_is_1)
        invert(out);
    return true;
}

/* Set is where the sample is 0, as JBIG2 has it (7.4.7). */
static bool read_bits(struct image_job *image, struct bitmap *out)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n, size;

    if (image->info.filter == IMAGE_CCITT)
        return read_ccitt(image, out);
    if (image->info.filter != IMAGE_LOSSLESS || !obj_stream_data(image->obj, &data, &n) ||
        !raster_bitmap_new(out, image->info.width, image->info.height) ||
        !num_mul(out->stride, out->height, &size) || n < size)
        return false;
    memcpy(out->data, data, size);
    invert(out);
    return true;
}

static void write_smaller(struct image_job *image, const struct bitmap *bitmap, struct buf *out)
{
    AUTO_BITMAP struct bitmap small = { .width = image->width, .height = image->height };

    if (!resample_bitmap(bitmap, &small) || !jbig2_write(&small, out))
        buf_free(out);
}

static void write_whole(struct image_job *image, const struct bitmap *bitmap)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    size_t before = image->out->data.len;

    if (!jbig2_write(bitmap, &packed))
        return;
    /* Drawings of few lines, and dots in patterns, may be shorter the other way. */
    if (image->info.filter == IMAGE_LOSSLESS && packed.len > before * 3 / 4)
        recode_flate(image->obj, image->out);
    if (packed.len < image->out->data.len)
        image_replace(image, &packed, "/JBIG2Decode", bitmap->width, bitmap->height);
}

void image_recode_mono(struct image_job *image)
{
    AUTO_BITMAP struct bitmap bitmap = { 0 };
    AUTO_BUF struct buf small = BUF_EMPTY;
    size_t before = image->out->data.len;

    if (image->info.filter == IMAGE_JBIG2)
        return;
    if (!read_bits(image, &bitmap)) {
        if (image->info.filter == IMAGE_LOSSLESS)
            recode_flate(image->obj, image->out);
        return;
    }
    clear_fill(&bitmap);
    if (image_shrinks(image))
        write_smaller(image, &bitmap, &small);
    /* Fewer pixels are not always fewer bytes: clean edges become ragged. */
    if (small.len == 0 || image->info.filter != IMAGE_CCITT ||
        (double) small.len > WHOLE_LEAST * (double) before)
        write_whole(image, &bitmap);
    if (small.len > 0 && small.len < image->out->data.len)
        image_replace(image, &small, "/JBIG2Decode", image->width, image->height);
}
