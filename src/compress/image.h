/* image: one image on its way to be smaller. For the files image*.c alone. */
#pragma once

#include "compress/image_info.h"
#include "compress/recode.h"
#include "image/raster.h"

struct image {
    const struct recode *recode;
    struct obj obj;
    struct image_info info;
    size_t width, height; /* that it is to have */
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

/* Raises `data` with its filter and the size it has now to be the stream. */
bool image_replace(struct image *image, struct buf *data, const char *filter, size_t width,
                   size_t height);
/* Says what its samples are now: PDF syntax, with COMPACT_REF for the object base_id. */
bool image_set_space(struct image *image, const char *space, unsigned bits);
/* JPEG for a raster, as the profile wants it. `like`: the JPEG it was, or NULL. */
struct dct_info;
bool image_write_dct(struct image *image, const struct raster *raster, const struct dct_info *like,
                     struct buf *out);
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
