/*
 * image_job: the state of one image that is being compressed, and the steps of that. For the files
 * image*.c alone.
 */
#pragma once

#include "compress/images/image.h"
#include "compress/images/image_info.h"
#include "image/codec/raster.h"

struct image_job {
    const struct image_setting *setting;
    struct profile profile; /* of the setting, or a finer one */
    int64_t id;
    struct obj obj;
    struct image_info info;
    size_t width, height;           /* the target size */
    size_t most_width, most_height; /* limit of the target size for a further attempt */
    size_t seen_width, seen_height; /* the size at which results are compared */
    /* the original or a reduced version, at least as large as the target */
    struct raster large;
    /* the original at the size at which results are compared, and its luminance; made once */
    struct raster seen_colours, seen;
    bool gray; /* it must be converted to gray, even if it becomes larger */
    /* a further attempt may follow, which needs the decoded samples */
    bool again;
    double share; /* of its page that it and the other images of the page cover */
    /* SSIM of the result against the source, and that of the channel of an RGB image that lost
     * most; 1 for lossless results, and for colours that are not compared */
    double likeness, colours;
    struct new_stream *out;
};

/* Whether the result is to have fewer pixels. */
static inline bool image_shrinks(const struct image_job *image)
{
    return image->width < image->info.width || image->height < image->info.height;
}

/* Limit of the size of the new data. */
static inline size_t image_limit(const struct image_job *image)
{
    return image->gray ? SIZE_MAX : image->out->data.len;
}
/* The result is the original, or lost nothing. */
static inline void image_lost_nothing(struct image_job *image)
{
    image->likeness = image->colours = 1;
}

/* image_mono, image_dct, image_jpx, image_samples: the recoders for one-bit, JPEG and JPEG 2000
 * images, and for all others that can be read. Each replaces image->out->data if it finds something
 * smaller. */
void image_recode_mono(struct image_job *image);
void image_recode_dct(struct image_job *image);
void image_recode_jpx(struct image_job *image);
void image_recode_samples(struct image_job *image);

/* image_dct and image_jpx: sizes at which the original is decoded. */

/* The smallest number of eighths of its size, 1 to 8, at which a decoded JPEG image is still a
 * quarter larger than the target size on each side, for resampling. */
unsigned image_eighths(const struct image_job *image);
/* How often the sides of a JPEG 2000 image can be halved on the same condition. */
unsigned image_halvings(const struct image_job *image);
/* Decodes the filter that was applied to a JPEG file, so that image->out has the file itself. False
 * if it is not Flate alone, the data is damaged, or memory ran out. */
bool image_strip_filters(struct image_job *image);

/* image_samples */

/* Reduces samples of two bytes, `size` bytes in all, to their high bytes. */
void image_halve_bits(unsigned char *data, size_t size);
/* Expands the samples to bytes, and an indexed image to the colours of its palette. False for a
 * colour space that is not supported, or when out of memory. */
bool image_expand(const struct image_info *info, const uint8_t *data, struct raster *out);
/* Notes that the result, made from `raster` without loss, lost pixels at most. */
void image_note_reduced(struct image_job *image, const struct raster *raster);

/* image_pack */

/* Makes samples, compressed without loss, the image if that takes less than `limit` bytes. `row`:
 * bytes of a row. */
bool image_pack_rows(struct image_job *image, const uint8_t *data, size_t row, size_t channels,
                     unsigned bits, size_t limit);
/* The same with a raster, which may become an indexed image. `space`: its colour space; NULL if it
 * is the one that the image has. */
bool image_pack_raster(struct image_job *image, const struct raster *raster, const char *space,
                       size_t limit);

/* image_resample */

/* Makes image->large, reduced to the target size, the raster `out`. If it has that size already and
 * is not needed for a further attempt (`again`), it is moved and not copied. False when out of
 * memory. */
bool image_reduce(struct image_job *image, struct raster *out);

/* image_likeness */

/* Takes a version of the original, which is copied, as what results are compared with, if it has
 * the right size: this is quicker than to reduce the original once more. */
void image_see(struct image_job *image, const struct raster *reduced);
/* The similarity of a JPEG result to the original, at the pixels that the profile asks for, or
 * those of a screen: finer detail is not compared. 0 if that is not known. */
double image_likeness(struct image_job *image, const struct buf *jpeg);
/* The same of the channel of an RGB image that lost most. */
double image_colour_likeness(struct image_job *image, const struct buf *jpeg);
/* The same of a reduced image that is stored without further loss. */
double image_raster_likeness(struct image_job *image, const struct raster *made);

/* image_write */

/* Makes `data`, with its filter and its size in pixels, the stream; `data` is then empty. False
 * when out of memory, as the next function. */
bool image_replace(struct image_job *image, struct buf *data, const char *filter, size_t width,
                   size_t height);
/* Sets the colour space and bits of the new samples: PDF syntax, with COMPACT_REF for the object
 * base_id. */
bool image_set_space(struct image_job *image, const char *space, unsigned bits);
/* Encodes a raster as JPEG by the profile. `like`: the properties of the JPEG file that the raster
 * was decoded from; NULL if there is none. Returns false when out of memory. Where the result is
 * not similar enough for the profile, the caller is expected to try again with a finer one: such a
 * result of less than `limit` bytes may be a baseline file, which is larger than it need be. */
struct dct_info;
bool image_write_dct(struct image_job *image, const struct raster *raster,
                     const struct dct_info *like, size_t limit, struct buf *out);
/* Whether the result is as similar to the original as the profile asks for. */
bool image_is_good(const struct image_job *image);

/* image_gray */

/*
 * Converts an image in `space` to gray. IMAGE_GRAY_WRITTEN: image->out is the result. For the other
 * two successes image->info describes the gray image, whose samples are in image->large
 * (IMAGE_GRAY_RASTER) or still in the stream (IMAGE_GRAY_NOW). After IMAGE_GRAY_FAILED image->out
 * has the device space with as many components in place of `space`.
 */
enum image_gray { IMAGE_GRAY_NOW, IMAGE_GRAY_FAILED, IMAGE_GRAY_WRITTEN, IMAGE_GRAY_RASTER };
enum image_gray image_make_gray(struct image_job *image, struct obj space);
