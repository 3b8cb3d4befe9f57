/* image: one image on its way to be smaller. For the files image*.c alone. */
#pragma once

#include "compress/image_info.h"
#include "compress/recode.h"
#include "image_codec/raster.h"

struct image {
    const struct recode *recode;
    struct profile profile; /* of the recode, or a finer one */
    struct obj obj;
    struct image_info info;
    size_t width, height;           /* that it is to have */
    size_t most_width, most_height; /* that it may have in another try */
    size_t seen_width, seen_height; /* to compare it as */
    struct raster large;            /* as it was, or less, but at least as large as that */
    struct raster seen;             /* its brightness, to compare with; made once */
    bool gray;                      /* it loses its colours, whatever it takes */
    bool again;                     /* there may be another try: it is to be kept */
    double likeness;                /* of what it was written as, if that is JPEG; else 1 */
    struct pack_stream *out;
};

/* Whether it is to become smaller than it is. */
static inline bool image_shrinks(const struct image *image)
{
    return image->width < image->info.width || image->height < image->info.height;
}

/* Each replaces image->out->data if it finds something smaller. */
void image_recode_mono(struct image *image);    /* of one bit */
void image_recode_dct(struct image *image);     /* that is JPEG */
void image_recode_jpx(struct image *image);     /* that is JPEG 2000 */
void image_recode_samples(struct image *image); /* any other that can be read */

/*
 * Takes its colours out, those of `space`: writes it, or leaves image->info gray, and image->large
 * (..._RASTER) or the stream (..._NOW).
 * Where that fails `out` does not say any more that it has that space.
 */
enum image_gray { IMAGE_GRAY_NOW, IMAGE_GRAY_FAILED, IMAGE_GRAY_WRITTEN, IMAGE_GRAY_RASTER };
enum image_gray image_take_colours(struct image *image, struct obj space);
/* The size of what is written of an image may not reach this. */
static inline size_t image_limit(const struct image *image)
{
    return image->gray ? SIZE_MAX : image->out->data.len;
}
/* Samples of two bytes, `size` bytes in all, become their high bytes. */
void image_halve_bits(unsigned char *data, size_t size);
/* The samples as bytes, an indexed image in the colours of its palette. */
bool image_expand(const struct image_info *info, const uint8_t *data, struct raster *out);
/* Leaves of a JPEG file behind another filter the file. */
bool image_strip_filters(struct image *image);
/* The eighths of its size at which a JPEG image still has more pixels than wanted. */
unsigned image_eighths(const struct image *image);
/* How often JPEG 2000 can be halved so. */
unsigned image_halvings(const struct image *image);
/* The one of these that fits. */
void image_recode(struct image *image);
/* The same with finer and finer profiles, until it looks alike. */
void image_recode_alike(struct image *image, const struct object *object);
/* How alike a JPEG image looks to what it is of, to one who sees it with the pixels that the
 * profile asks for, or those of a screen: detail finer than that is not compared. 0 if that cannot
 * be told. */
double image_likeness(struct image *image, const struct buf *jpeg);
/* How many pixels it needs where it is placed largest. One that is never placed stays as it is:
 * scripts or other programs may use it. */
void image_size(const struct image *image, const struct object *object,
                const struct profile *profile, size_t *width, size_t *height);

/* Raises `data` with its filter and the size it has now to be the stream. */
bool image_replace(struct image *image, struct buf *data, const char *filter, size_t width,
                   size_t height);
/* Says what its samples are now: PDF syntax, with COMPACT_REF for the object base_id. */
bool image_set_space(struct image *image, const char *space, unsigned bits);
/* JPEG for a raster, as the profile wants it. `like`: the JPEG it was, or NULL. */
struct dct_info;
bool image_write_dct(struct image *image, const struct raster *raster, const struct dct_info *like,
                     struct buf *out);
/* What image->large becomes: with the size it is to have. */
bool image_reduce(struct image *image, struct raster *out);
/*
 * The image with the size it is to have; `out` as for resample. Where a soft mask hides pixels
 * their colours do not count: they would bleed into those beside them.
 */
bool image_resample(struct image *image, const struct raster *large, struct raster *out);
/* Whether all pixels are gray, each channel at most `off` from the next; of RGB. */
bool image_is_gray(const struct raster *raster, int off);
bool image_to_gray(struct raster *raster);
/*
 * Packs samples, losing nothing, and makes them the image if that takes less than `limit` bytes.
 * `row`: bytes of a row.
 */
bool image_try_pack(struct image *image, const uint8_t *data, size_t row, size_t channels,
                    unsigned bits, size_t limit);
