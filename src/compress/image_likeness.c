/* image_likeness: how similar a compressed image is to the original. See image.h. */
#include "base/scope.h"
#include "compress/image.h"
#include "image_codec/dct.h"
#include "image_codec/resample.h"
#include "image_codec/ssim.h"

/* The luminance of `raster` in a given size; takes ownership of it. */
static bool see(const struct image *image, struct raster *raster, size_t width, size_t height,
                struct raster *seen)
{
    AUTO_RASTER struct raster bright = { 0 };

    if (raster->channels == 1) {
        bright = *raster;
        *raster = (struct raster){ 0 };
    } else if (!ssim_brightness(raster, image->info.decode, &bright))
        return false;
    *seen = (struct raster){ .width = width, .height = height };
    return resample(&bright, seen);
}

/* The original at the size at which it is compared, made once for all attempts. */
static bool see_before(struct image *image)
{
    const struct raster *large = &image->large;
    size_t width = image->seen_width, height = image->seen_height;
    AUTO_RASTER struct raster bright = { 0 };

    if (image->seen.data)
        return true;
    image->seen.width = width < large->width ? width : large->width;
    image->seen.height = height < large->height ? height : large->height;
    return ssim_brightness(large, image->info.decode, &bright) && resample(&bright, &image->seen);
}

double image_likeness(struct image *image, const struct buf *jpeg)
{
    AUTO_RASTER struct raster made = { 0 }, seen = { 0 };

    if (!see_before(image) || !dct_read_brightness(jpeg->data, jpeg->len, &made) ||
        !see(image, &made, image->seen.width, image->seen.height, &seen))
        return 0;
    return ssim(&seen, &image->seen);
}
