/* image_likeness: how similar a compressed image is to the original. See image_job.h. */
#include "base/scope.h"
#include "compress/images/image_job.h"
#include "image/codec/dct.h"
#include "image/codec/resample.h"
#include "image/codec/ssim.h"

/* The luminance of `raster` in a given size; takes ownership of it. */
static bool see_luminance(const struct image_job *image, struct raster *raster, size_t width,
                          size_t height, struct raster *seen)
{
    AUTO_RASTER struct raster bright = { 0 };

    if (raster->channels == 1) {
        bright = *raster;
        *raster = (struct raster){ 0 };
    } else if (!ssim_brightness(raster, image->info.decode, &bright))
        return false;
    *seen = (struct raster){ .width = width, .height = height };
    return resample_raster(&bright, seen);
}

static size_t seen_side(size_t seen, size_t large)
{
    return seen < large ? seen : large;
}

static bool set_seen(struct image_job *image, const struct raster *original, size_t width,
                     size_t height)
{
    raster_free(&image->seen_colours);
    image->seen_colours.width = width;
    image->seen_colours.height = height;
    return resample_raster(original, &image->seen_colours) &&
           ssim_brightness(&image->seen_colours, image->info.decode, &image->seen);
}

void image_see(struct image_job *image, const struct raster *reduced)
{
    if (!image->seen.data && reduced->width == seen_side(image->seen_width, image->large.width) &&
        reduced->height == seen_side(image->seen_height, image->large.height))
        set_seen(image, reduced, reduced->width, reduced->height);
}

/* The original at the size at which it is compared, made once for all attempts. */
static bool see_before(struct image_job *image)
{
    return image->seen.data ||
           set_seen(image, &image->large, seen_side(image->seen_width, image->large.width),
                    seen_side(image->seen_height, image->large.height));
}

/* One channel of an image, in a given size. */
static bool see_channel(const struct raster *raster, size_t channel, size_t width, size_t height,
                        struct raster *seen)
{
    AUTO_RASTER struct raster one = { 0 };
    size_t n = raster->width * raster->height;

    if (!raster_new(&one, raster->width, raster->height, 1))
        return false;
    for (size_t i = 0; i < n; i++)
        one.data[i] = raster->data[i * raster->channels + channel];
    *seen = (struct raster){ .width = width, .height = height };
    return resample_raster(&one, seen);
}

double image_colour_likeness(struct image_job *image, const struct buf *jpeg)
{
    static const size_t channels[] = { 0, 2 }; /* green is nearly the luminance */
    AUTO_RASTER struct raster made = { 0 };
    double least = 1;

    if (!see_before(image) || !dct_read(jpeg->data, jpeg->len, -1, 8, &made) ||
        made.channels != 3 || image->large.channels != 3)
        return 0;
    for (size_t i = 0; i < COUNT(channels); i++) {
        AUTO_RASTER struct raster before = { 0 }, after = { 0 };
        size_t width = image->seen.width, height = image->seen.height;
        double like;

        if (!see_channel(&image->seen_colours, channels[i], width, height, &before) ||
            !see_channel(&made, channels[i], width, height, &after))
            return 0;
        like = ssim_mean(&before, &after);
        least = like < least ? like : least;
    }
    return least;
}

double image_raster_likeness(struct image_job *image, const struct raster *made)
{
    AUTO_RASTER struct raster bright = { 0 }, seen = { 0 };

    if (!see_before(image) || !ssim_brightness(made, image->info.decode, &bright) ||
        !see_luminance(image, &bright, image->seen.width, image->seen.height, &seen))
        return 0;
    return ssim_mean(&seen, &image->seen);
}

double image_likeness(struct image_job *image, const struct buf *jpeg)
{
    AUTO_RASTER struct raster made = { 0 }, seen = { 0 };

    if (!see_before(image) || !dct_read_brightness(jpeg->data, jpeg->len, &made) ||
        !see_luminance(image, &made, image->seen.width, image->seen.height, &seen))
        return 0;
    return ssim_mean(&seen, &image->seen);
}
