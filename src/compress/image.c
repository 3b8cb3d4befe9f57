#include "compress/image.h"

#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "image/dct.h"

#define TINY 200 /* bytes: not worth looking at */

bool image_replace(struct image *image, struct buf *data, const char *filter, size_t width,
                   size_t height)
{
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

bool image_write_dct(struct image *image, const struct raster *raster, const struct dct_info *like,
                     struct buf *out)
{
    struct dct_write how = {
        .quality = image->recode->profile->jpeg,
        .full_colour = image->recode->profile->jpeg >= 90,
        .adobe = like && like->adobe,
        .turned = like && like->turned,
    };

    return dct_write(raster, &how, out);
}

/* The size along one side, for so many pixels placed on so many points. */
static size_t reduce(size_t pixels, double points, double dpi, double threshold)
{
    double wanted = points / 72 * dpi;

    if (!(dpi > 0) || !(wanted > 0) || (double) pixels < wanted * threshold)
        return pixels;
    wanted = ceil(wanted);
    return wanted < 1 ? 1 : (size_t) wanted;
}

/* How many pixels it needs where it is placed largest. One that is never placed stays as it is:
 * scripts or other programs may use it. */
static void choose_size(struct image *image, const struct object *object)
{
    const struct recode *r = image->recode;
    const struct usage_image *use = usage_image(r->usage, object->id);
    double dpi = image->info.bits == 1 ? r->profile->mono_dpi : r->profile->dpi;

    image->width = image->info.width;
    image->height = image->info.height;
    if (!use || r->usage->partial || image->info.keyed || image->info.matted)
        return;
    image->width = reduce(image->width, use->width, dpi, r->profile->threshold);
    image->height = reduce(image->height, use->height, dpi, r->profile->threshold);
}

void recode_image(const struct recode *recode, const struct object *object, struct obj obj,
                  struct pack_stream *out)
{
    struct image image = { .recode = recode, .obj = obj, .out = out };

    if (out->data.len < TINY || !image_info_read(obj, &image.info)) {
        recode_flate(obj, out);
        return;
    }
    choose_size(&image, object);
    if (image.info.bits == 1 && image.info.channels == 1 && image.info.filter != IMAGE_DCT &&
        image.info.filter != IMAGE_JPX)
        image_recode_mono(&image);
    else if (image.info.filter == IMAGE_DCT)
        image_recode_dct(&image);
    else if (image.info.filter == IMAGE_JPX)
        image_recode_jpx(&image);
    else if (image.info.filter == IMAGE_LOSSLESS)
        image_recode_samples(&image);
}
