/* image_jpx: images that are JPEG 2000. Readers take seconds for large ones; JPEG of fewer pixels
 * is smaller and quicker. See image_job.h. */
#include "compress/images/image_job.h"
#include "image/codec/jpx_read.h"

/* without fewer pixels, the result must have at most this share of the bytes */
#define WORTH_LOSING 0.8
#define MAX_HALVINGS 5
#define DENSE        0.3 /* bytes a pixel: below it JPEG would not be smaller */

unsigned image_halvings(const struct image_job *image)
{
    unsigned halvings = 0;

    while (halvings < MAX_HALVINGS && image->info.width >> (halvings + 1) >= image->most_width &&
           image->info.height >> (halvings + 1) >= image->most_height)
        halvings++;
    return halvings;
}

static bool read_raster(struct image_job *image, struct raster *out)
{
    struct raster *large = &image->large;
    const struct buf *data = &image->out->data;
    unsigned halvings = image_halvings(image);

    /* Fewer levels may have been written than are wanted. */
    while (!large->data && !jpx_read(data->data, data->len, halvings, large)) {
        if (halvings == 0)
            return false;
        halvings = 0;
    }
    return large->width >= image->width && large->height >= image->height &&
           image_reduce(image, out);
}

void image_recode_jpx(struct image_job *image)
{
    AUTO_RASTER struct raster raster = { 0 };
    AUTO_BUF struct buf packed = BUF_EMPTY;
    const struct image_info *info = &image->info;
    double limit = (double) image->out->data.len * (image_shrinks(image) ? 1 : WORTH_LOSING);
    const char *space = NULL;

    if (!image_shrinks(image) &&
        (double) image->out->data.len < DENSE * (double) (info->width * info->height))
        return;
    if (image->profile.jpeg == 0 || info->packed || info->keyed || info->indexed ||
        info->space == SPACE_OTHER || info->space == SPACE_CMYK || !read_raster(image, &raster))
        return;
    if (info->space == SPACE_NONE)
        space = raster.channels == 3 ? "/DeviceRGB" : "/DeviceGray";
    else if (raster.channels != (info->space == SPACE_RGB ? 3 : 1))
        return;
    if (!image_write_dct(image, &raster, NULL, (size_t) limit, &packed) ||
        (double) packed.len >= limit ||
        !image_replace(image, &packed, "/DCTDecode", raster.width, raster.height)) {
        image_lost_nothing(image);
        return;
    }
    new_stream_set(image->out, "/BitsPerComponent", "8");
    if (space)
        image_set_space(image, space, 8);
}
