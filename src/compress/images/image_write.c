/* image_write: writes what an image becomes into its stream. See image_job.h. */
#include <stdlib.h>

#include "base/scope.h"
#include "compress/images/image_job.h"
#include "compress/streams/recode_flate.h"
#include "image/codec/dct.h"

#define LEAST_JPEG     45
#define COLOUR_LOSS    0.01  /* a channel may lose so much more than the luminance */
#define MOST_LOSS      0.035 /* limit of both together */
#define LARGE_SHARE    0.1   /* of a page: colours of images of that size are looked at */
#define GOOD_COLOURS   62    /* the quality of colour differences is raised to this one... */
#define MORE_COLOURS   12    /* ...by at most so much, */
#define BEST_COLOURS   24    /* or by this for large images, where they are not good enough then */
#define FINEST_COLOURS 40
#define MOST_COLOURS   95  /* limit of the quality of colour differences */
#define FINE_STEPS     70  /* a quality at which the resolution of colours limits them */
#define FINE_COLOURS   2.5 /* of 255: colours change from pixel to pixel as in drawings */

bool image_replace(struct image_job *image, struct buf *data, const char *filter, size_t width,
                   size_t height)
{
    /* A /Decode that names the default range of the old samples is wrong for samples of another
     * depth or colour space; one that maps them otherwise keeps both. */
    if (!image->info.decode)
        new_stream_remove(image->out, "/Decode");
    if (image->info.overruled)
        new_stream_remove(image->out, "/Mask");
    return new_stream_replace(image->out, data, filter) &&
           new_stream_set(image->out, "/Width", "%zu", width) &&
           new_stream_set(image->out, "/Height", "%zu", height);
}

bool image_set_space(struct image_job *image, const char *space, unsigned bits)
{
    uint32_t base = equal_objects_first(image->setting->objects, image->info.base_id);

    if (!new_stream_set(image->out, "/ColorSpace", "%s", space) ||
        !new_stream_set(image->out, "/BitsPerComponent", "%u", bits))
        return false;
    if (base != GRAPH_NONE)
        new_stream_target(image->out, "/ColorSpace", base);
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

/* Whether the colours are similar enough for the profile; those of a small part of a page are. */
static bool has_good_colours(const struct image_job *image)
{
    double limit = image->profile.loss + COLOUR_LOSS;

    return image->share < LARGE_SHARE ||
           (1 - image->colours) * image->share <= (limit < MOST_LOSS ? limit : MOST_LOSS);
}

static bool has_good_luminance(const struct image_job *image)
{
    return (1 - image->likeness) * image->share <= image->profile.loss;
}

bool image_is_good(const struct image_job *image)
{
    return has_good_luminance(image) && has_good_colours(image);
}

/* Whether the colours of a JPEG result have to be compared. */
static bool shows_colours(const struct image_job *image, const struct raster *raster)
{
    return raster->channels == 3 && image->info.space == SPACE_RGB && image->share >= LARGE_SHARE &&
           has_good_luminance(image); /* else nothing is good */
}

/* JPEG's table of colour differences is coarse: at low qualities it makes dark and saturated areas
 * blotchy, and saves few bytes. */
static int colours_for(int quality)
{
    return quality + MORE_COLOURS < GOOD_COLOURS ? quality + MORE_COLOURS : GOOD_COLOURS;
}

/* Writes it again with finer colours, until they are good enough. */
static bool write_finer_colours(struct image_job *image, const struct raster *raster,
                                struct dct_write *how, struct buf *out)
{
    /* Finer steps help first, and then only more pixels. */
    static const int more[] = { BEST_COLOURS, BEST_COLOURS, FINEST_COLOURS };
    size_t first = how->full_colour || how->quality >= FINE_STEPS;

    for (size_t i = first; i < COUNT(more) && !has_good_colours(image); i++) {
        how->full_colour = how->full_colour || i > 0;
        how->colours =
            how->quality + more[i] < MOST_COLOURS ? how->quality + more[i] : MOST_COLOURS;
        buf_free(out);
        if (!dct_write(raster, how, out))
            return false;
        image->colours = image_colour_likeness(image, out);
    }
    return true;
}

/* Compares a result, and writes it with finer colours where they are not good. */
static bool compare_result(struct image_job *image, const struct raster *raster,
                           struct dct_write *how, struct buf *out)
{
    image->likeness = image_likeness(image, out);
    image->colours = 1;
    if (!shows_colours(image, raster))
        return true;
    image->colours = image_colour_likeness(image, out);
    return has_good_colours(image) || write_finer_colours(image, raster, how, out);
}

bool image_write_dct(struct image_job *image, const struct raster *raster,
                     const struct dct_info *like, size_t limit, struct buf *out)
{
    struct dct_write how = {
        .quality = image->profile.jpeg,
        .colours = colours_for(image->profile.jpeg),
        .full_colour = image->profile.jpeg >= 90 ||
                       (raster->channels == 3 && colour_detail(raster) > FINE_COLOURS),
        .adobe = like && like->adobe,
        .turned = like && like->adobe && like->turned, /* nothing else would say so */
        .quick = image->profile.loss > 0 && !image->gray,
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
    if (image->profile.loss > 0 && !compare_result(image, raster, &how, out))
        return false;
    if (!how.quick || (!image_is_good(image) && out->len < limit))
        return true;
    how.quick = false;
    buf_free(out);
    return dct_write(raster, &how, out);
}
