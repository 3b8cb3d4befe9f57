#include "compress/image.h"

#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "image_codec/dct.h"

#define LEAST_JPEG   45
#define FINE_COLOURS 2.5 /* of 255: colours change from pixel to pixel as in drawings */
#define TINY         200 /* bytes: not worth looking at */
#define ICON         32  /* pixels: a picture of at most this many each way keeps them all */

bool image_replace(struct image *image, struct buf *data, const char *filter, size_t width,
                   size_t height)
{
    /* A /Decode that names the default range of the old samples is wrong for samples of another
     * depth or colour space; one that maps them otherwise keeps both. */
    if (!image->info.decode)
        pack_remove(image->out, "/Decode");
    if (image->info.overruled)
        pack_remove(image->out, "/Mask");
    return recode_replace(image->out, data, filter) &&
           pack_edit(image->out, "/Width", "%zu", width) &&
           pack_edit(image->out, "/Height", "%zu", height);
}

bool image_set_space(struct image *image, const char *space, unsigned bits)
{
    const struct inventory *objects = image->recode->objects;
    const struct object *base = inventory_find(objects, image->info.base_id);

    if (!pack_edit(image->out, "/ColorSpace", "%s", space) ||
        !pack_edit(image->out, "/BitsPerComponent", "%u", bits))
        return false;
    if (base)
        pack_edit_target(image->out, "/ColorSpace", (uint32_t) (base - objects->list));
    return true;
}

bool image_is_gray(const struct raster *raster, int off)
{
    size_t n = raster->width * raster->height;
    const uint8_t *p = raster->data;

    for (size_t i = 0; i < n; i++, p += 3)
        if (abs(p[0] - p[1]) > off || abs(p[1] - p[2]) > off || abs(p[0] - p[2]) > off)
            return false;
    return true;
}

bool image_to_gray(struct raster *raster)
{
    size_t n = raster->width * raster->height;
    const uint8_t *p = raster->data;

    for (size_t i = 0; i < n; i++, p += 3)
        raster->data[i] = (uint8_t) ((p[0] * 77 + p[1] * 150 + p[2] * 29 + 128) >> 8);
    raster->channels = 1;
    return true;
}

/* The mean difference of the colours of neighbouring pixels without their brightness, of 255.
 * Most pictures do not need colours at more than half the resolution, as JPEG stores them; those
 * with larger differences do. */
static double colour_detail(const struct raster *raster)
{
    uint64_t sum = 0, n = 0;

    for (size_t y = 0; y + 1 < raster->height; y += 2)
        for (size_t x = 0; x + 1 < raster->width; x += 2) {
            const uint8_t *p = raster->data + (y * raster->width + x) * 3, *right = p + 3,
                          *below = p + raster->width * 3;
            int blue = p[2] - p[1], red = p[0] - p[1];

            sum += (unsigned) (abs(blue - right[2] + right[1]) + abs(red - right[0] + right[1]) +
                               abs(blue - below[2] + below[1]) + abs(red - below[0] + below[1]));
            n += 4;
        }
    return n > 0 ? (double) sum / (double) n : 0;
}

bool image_write_dct(struct image *image, const struct raster *raster, const struct dct_info *like,
                     struct buf *out)
{
    struct dct_write how = {
        .quality = image->profile.jpeg,
        .full_colour = image->profile.jpeg >= 90 ||
                       (raster->channels == 3 && colour_detail(raster) > FINE_COLOURS),
        .adobe = like && like->adobe,
        .turned = like && like->adobe && like->turned, /* nothing else would say so */
    };

    if (!dct_write(raster, &how, out))
        return false;
    /* JPEG 2000 may have been smaller, but must be encoded again if colours are removed. */
    for (; image->gray && out->len > image->out->data.len && how.quality > LEAST_JPEG;) {
        how.quality -= 10;
        buf_free(out);
        if (!dct_write(raster, &how, out))
            return false;
    }
    if (image->profile.loss > 0)
        image->likeness = image_likeness(image, out);
    return true;
}

/* The size of one side, for this number of pixels placed on this number of points. */
static size_t reduce(size_t pixels, double points, double dpi, double threshold)
{
    double wanted = points / 72 * dpi;

    if (!(dpi > 0) || !(wanted > 0) || (double) pixels < wanted * threshold)
        return pixels;
    wanted = ceil(wanted);
    return wanted < 1 ? 1 : (size_t) wanted;
}

void image_size(const struct image *image, const struct object *object,
                const struct profile *profile, size_t *width, size_t *height)
{
    const struct recode *r = image->recode;
    const struct usage_image *use = usage_image(r->usage, object->id);
    bool mono = image->info.bits == 1;
    double dpi = mono ? profile->mono_dpi : profile->dpi;
    double threshold = mono ? profile->mono_threshold : profile->threshold;

    *width = image->info.width;
    *height = image->info.height;
    if (!use || r->usage->partial || image->info.keyed || image->info.matted ||
        (*width <= ICON && *height <= ICON))
        return;
    *width = reduce(*width, use->width, dpi, threshold);
    *height = reduce(*height, use->height, dpi, threshold);
}

void image_recode(struct image *image)
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

/* Removes the colours. Returns whether nothing else is to be done. */
static bool recode_gray(struct image *image, const struct object *object)
{
    const struct recode *recode = image->recode;
    AUTO_OBJ struct obj space = gray_image_space(recode->gray, object->id);
    enum image_gray done;

    if ((!space.q && obj_has(image->obj, "/ColorSpace")) ||
        !image_info_read_as(image->obj, space, &image->info) ||
        (!space.q && (image->info.stencil || image->info.filter != IMAGE_JPX))) {
        image->info.width = 0; /* nothing is known yet */
        return false;
    }
    image_size(image, object, recode->profile, &image->width, &image->height);
    image->most_width = image->width;
    image->most_height = image->height;
    if (recode->profile->loss > 0) {
        struct profile finest = profile_finer(recode->profile, PROFILE_STEPS - 1);

        image_size(image, object, &finest, &image->most_width, &image->most_height);
    }
    done = image_take_colours(image, space);
    image->gray = done == IMAGE_GRAY_RASTER;
    *recode->colours_kept += done == IMAGE_GRAY_FAILED;
    return done == IMAGE_GRAY_FAILED || done == IMAGE_GRAY_WRITTEN;
}

void recode_image(const struct recode *recode, const struct object *object, struct obj obj,
                  struct pack_stream *out)
{
    struct image image = { .recode = recode, .profile = *recode->profile, .obj = obj, .out = out };
    bool mono;

    if (recode->gray && recode_gray(&image, object))
        return;
    if (!image.info.width && (out->data.len < TINY || !image_info_read(obj, &image.info))) {
        recode_flate(obj, out);
        return;
    }
    mono = image.info.bits == 1 && image.info.channels == 1 && image.info.filter != IMAGE_DCT &&
           image.info.filter != IMAGE_JPX;
    if (image.profile.loss > 0 && !mono) {
        image_recode_alike(&image, object);
    } else {
        image_size(&image, object, &image.profile, &image.width, &image.height);
        image.most_width = image.width;
        image.most_height = image.height;
        image_recode(&image);
    }
    raster_free(&image.large);
    raster_free(&image.seen);
}
