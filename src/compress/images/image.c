#include "compress/images/image.h"

#include <math.h>

#include "compress/images/image_job.h"
#include "compress/streams/recode_flate.h"

#define TINY       200   /* bytes: not worth looking at */
#define ICON       32    /* pixels: a picture of at most this many each way keeps them all */
#define SCREEN_DPI 120.0 /* of a page that is looked at, at least */
#define PAGE_DPI   100.0 /* of a page that is looked at as a whole */

/* The size of one side, for this number of pixels placed on this number of points. */
static size_t reduce(size_t pixels, double points, double dpi, double threshold)
{
    double wanted = points / 72 * dpi;

    if (!(dpi > 0) || !(wanted > 0) || (double) pixels < wanted * threshold)
        return pixels;
    wanted = ceil(wanted);
    return wanted < 1 ? 1 : (size_t) wanted;
}

/* How many pixels the image needs where it is placed largest. An image that is never placed
 * stays as it is: scripts or other programs may use it. */
static void target_size(const struct image_job *image, const struct profile *profile, size_t *width,
                        size_t *height)
{
    const struct usage *usage = image->setting->usage;
    const struct usage_image *use = usage_image(usage, image->id);
    bool mono = image->info.bits == 1;
    double dpi = mono ? profile->mono_dpi : profile->dpi;
    double threshold = mono ? profile->mono_threshold : profile->threshold;

    *width = image->info.width;
    *height = image->info.height;
    if (!use || usage->partial || image->info.keyed || image->info.matted ||
        (*width <= ICON && *height <= ICON))
        return;
    *width = reduce(*width, use->width, dpi, threshold);
    *height = reduce(*height, use->height, dpi, threshold);
}

/* Calls the function for the kind of the image. */
static void recode_kind(struct image_job *image)
{
    if (image->info.bits == 1 && image->info.channels == 1 && image->info.filter != IMAGE_DCT &&
        image->info.filter != IMAGE_JPX)
        image_recode_mono(image);
    else if (image->info.filter == IMAGE_DCT)
        image_recode_dct(image);
    else if (image->info.filter == IMAGE_JPX)
        image_recode_jpx(image);
    else if (image->info.filter == IMAGE_LOSSLESS)
        image_recode_samples(image);
}

/* Whether the profile leaves more of it than the last one did. */
static bool is_finer(struct image_job *image, const struct profile *profile)
{
    size_t width = image->width, height = image->height;

    target_size(image, profile, &image->width, &image->height);
    return image->width > width || image->height > height || profile->jpeg > image->profile.jpeg;
}

/* Frees what was decoded of the original, which is decoded again when it is needed. */
static void forget_samples(struct image_job *image)
{
    raster_free(&image->large);
    raster_free(&image->seen);
    raster_free(&image->seen_colours);
}

/* Recompresses the original; returns whether the result is similar enough. */
static bool try_profile(struct image_job *image, struct new_stream *made)
{
    struct new_stream *out = image->out;

    if (!new_stream_copy(out, made)) {
        made->data.failed = true;
        return false;
    }
    image_lost_nothing(image);
    image->out = made;
    recode_kind(image);
    image->out = out;
    return image_is_good(image);
}

/* How many times as large as asked for it is looked at: on a screen, closely if it is for one. */
static double seen_at(const struct profile *profile)
{
    if (!profile_is_for_screens(profile))
        return PAGE_DPI / profile->dpi;
    return profile->dpi < SCREEN_DPI ? SCREEN_DPI / profile->dpi : 1;
}

/* Recompresses with finer and finer profiles, steps `first` to `end`, until the result is similar
 * enough; returns whether one is. `best`: the last result. */
static bool try_steps(struct image_job *image, size_t first, size_t end, struct new_stream *best)
{
    struct profile profile = profile_finer(image->setting->profile, end - 1);

    target_size(image, &profile, &image->most_width, &image->most_height);
    for (size_t i = first; i < end; i++) {
        AUTO_NEW_STREAM struct new_stream made = { 0 };
        bool alike;

        profile = profile_finer(image->setting->profile, i);
        if (!is_finer(image, &profile) && i > first)
            continue;
        image->profile = profile;
        alike = try_profile(image, &made);
        if (made.data.failed)
            return true;
        new_stream_free(best);
        *best = made;
        made = (struct new_stream){ 0 };
        if (alike)
            return true;
    }
    return false;
}

/* What is still not similar enough is compared at the resolution of a page on a screen, and keeps
 * more pixels than the profile asks for, or all of them. */
static void recode_unlike(struct image_job *image, struct new_stream *best)
{
    static const struct profile page = { .dpi = PAGE_DPI, .threshold = 1, .mono_dpi = PAGE_DPI };
    size_t width, height;

    target_size(image, &page, &width, &height);
    image->seen_width = width < image->seen_width ? width : image->seen_width;
    image->seen_height = height < image->seen_height ? height : image->seen_height;
    forget_samples(image);
    if (!try_steps(image, PROFILE_STEPS - 1, PROFILE_STEPS + PROFILE_MORE, best)) {
        new_stream_free(best);
        image->profile = *profile_find("lossless");
        target_size(image, &image->profile, &image->width, &image->height);
        raster_free(&image->large);
        try_profile(image, best);
    }
}

/* How much can be left out differs between pictures: least of those of text, more of large ones
 * than of small ones. */
static void recode_alike(struct image_job *image)
{
    const struct usage_image *use = usage_image(image->setting->usage, image->id);
    AUTO_NEW_STREAM struct new_stream best = { 0 };

    image->share = use ? use->share : 1;
    image->again = true; /* keeps the decoded samples to compare with */
    target_size(image, &image->profile, &image->width, &image->height);
    image->seen_width = (size_t) ((double) image->width * seen_at(&image->profile));
    image->seen_height = (size_t) ((double) image->height * seen_at(&image->profile));
    if (!try_steps(image, 0, PROFILE_STEPS, &best) && !image->gray)
        recode_unlike(image, &best);
    if (best.data.len == 0)
        return;
    new_stream_free(image->out);
    *image->out = best;
    best = (struct new_stream){ 0 };
}

/* Removes the colours. Returns whether nothing else is to be done. */
static bool recode_gray(struct image_job *image)
{
    const struct image_setting *setting = image->setting;
    AUTO_OBJ struct obj space = recolour_image_space(setting->gray, image->id);
    enum image_gray done;

    if ((!space.q && obj_has(image->obj, "/ColorSpace")) ||
        !image_info_read_as(image->obj, space, &image->info) ||
        (!space.q && (image->info.stencil || image->info.filter != IMAGE_JPX))) {
        image->info.width = 0; /* nothing is known yet */
        return false;
    }
    target_size(image, setting->profile, &image->width, &image->height);
    image->most_width = image->width;
    image->most_height = image->height;
    if (setting->profile->loss > 0) {
        struct profile finest = profile_finer(setting->profile, PROFILE_STEPS - 1);

        target_size(image, &finest, &image->most_width, &image->most_height);
    }
    done = image_make_gray(image, space);
    image->gray = done == IMAGE_GRAY_RASTER;
    *setting->colours_kept += done == IMAGE_GRAY_FAILED;
    return done == IMAGE_GRAY_FAILED || done == IMAGE_GRAY_WRITTEN;
}

void image_recode(const struct image_setting *setting, int64_t id, struct obj obj,
                  struct new_stream *out)
{
    struct image_job image = {
        .setting = setting, .profile = *setting->profile, .id = id, .obj = obj, .out = out
    };
    bool mono;

    if (setting->gray && recode_gray(&image))
        return;
    if (!image.info.width && (out->data.len < TINY || !image_info_read(obj, &image.info))) {
        recode_flate(obj, out);
        return;
    }
    mono = image.info.bits == 1 && image.info.channels == 1 && image.info.filter != IMAGE_DCT &&
           image.info.filter != IMAGE_JPX;
    if (image.profile.loss > 0 && !mono) {
        recode_alike(&image);
    } else {
        target_size(&image, &image.profile, &image.width, &image.height);
        image.most_width = image.width;
        image.most_height = image.height;
        recode_kind(&image);
    }
    forget_samples(&image);
}
