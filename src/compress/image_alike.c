/* image_alike: images as small as looks allow. How much can be left out differs between pictures:
 * least of those of text, more of large ones than of small ones. See image.h. */
#include "base/scope.h"
#include "compress/image.h"
#include "image_codec/dct.h"
#include "image_codec/resample.h"
#include "image_codec/ssim.h"

#define SCREEN_DPI 120.0 /* of a page that is looked at, at least */

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

/* Whether the profile leaves more of it than the last one did. */
static bool is_finer(struct image *image, const struct object *object,
                     const struct profile *profile)
{
    size_t width = image->width, height = image->height;

    image_size(image, object, profile, &image->width, &image->height);
    return image->width > width || image->height > height || profile->jpeg > image->profile.jpeg;
}

/* Recompresses the original; returns whether the result is similar enough. */
static bool try_profile(struct image *image, double share, struct pack_stream *made)
{
    struct pack_stream *out = image->out;

    if (!pack_copy(out, made)) {
        made->data.failed = true;
        return false;
    }
    image->likeness = 1;
    image->out = made;
    image_recode(image);
    image->out = out;
    return (1 - image->likeness) * share <= image->profile.loss;
}

/* How many times as large as asked for it is looked at. */
static double seen_at(const struct profile *profile)
{
    return profile->dpi < SCREEN_DPI ? SCREEN_DPI / profile->dpi : 1;
}

void image_recode_alike(struct image *image, const struct object *object)
{
    const struct usage_image *use = usage_image(image->recode->usage, object->id);
    struct profile profile = profile_finer(&image->profile, PROFILE_STEPS - 1);
    AUTO_PACK_STREAM struct pack_stream best = { 0 };
    bool alike = false;

    image->again = true; /* keeps the decoded samples to compare with */
    image_size(image, object, &profile, &image->most_width, &image->most_height);
    for (size_t i = 0; i < PROFILE_STEPS && !alike; i++) {
        AUTO_PACK_STREAM struct pack_stream made = { 0 };

        profile = profile_finer(image->recode->profile, i);
        if (i > 0 && !is_finer(image, object, &profile))
            continue;
        image->profile = profile;
        if (i == 0) {
            image_size(image, object, &profile, &image->width, &image->height);
            image->seen_width = (size_t) ((double) image->width * seen_at(&profile));
            image->seen_height = (size_t) ((double) image->height * seen_at(&profile));
        }
        alike = try_profile(image, use ? use->share : 1, &made);
        if (made.data.failed)
            break;
        pack_stream_free(&best);
        best = made;
        made = (struct pack_stream){ 0 };
    }
    if (best.data.len == 0)
        return;
    pack_stream_free(image->out);
    *image->out = best;
    best = (struct pack_stream){ 0 };
}
