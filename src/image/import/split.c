#include "image/import/split.h"

#include <stdlib.h>
#include <string.h>

int split_start(struct split *s, struct image_file *file, const struct split_shape *shape,
                struct err *err)
{
    size_t bytes = shape->bits / 8;

    *s = (struct split){ .file = file, .shape = *shape };
    if (pack_start(&s->colour, &file->packed, shape->width, shape->height,
                   shape->components * shape->bits, shape->indexed, err) < 0)
        return -1;
    if (!shape->alpha)
        return 0;
    s->colour_row = malloc((size_t) shape->width * shape->components * bytes);
    s->mask_row = malloc(shape->width * bytes);
    if (!s->colour_row || !s->mask_row)
        return image_no_memory(err);
    return pack_start(&s->mask, &file->mask, shape->width, shape->height, shape->bits, false, err);
}

/* Separates the last component of each pixel. Constant values of `pixel` and `bytes` let the
 * compiler turn copies into moves. */
static inline void part(const uint8_t *row, uint8_t *colour, uint8_t *mask, size_t width,
                        size_t pixel, size_t bytes)
{
    for (size_t i = 0; i < width; i++) {
        memcpy(colour, row, pixel);
        memcpy(mask, row + pixel, bytes);
        colour += pixel;
        mask += bytes;
        row += pixel + bytes;
    }
}

static bool is_opaque(const uint8_t *mask, size_t n)
{
    uint8_t all = 0xff;

    for (size_t i = 0; i < n; i++)
        all &= mask[i];
    return all == 0xff;
}

int split_row(struct split *s, const uint8_t *row, struct err *err)
{
    size_t width = s->shape.width, bytes = s->shape.bits / 8, pixel = s->shape.components * bytes;

    if (!s->shape.alpha)
        return pack_row(&s->colour, row, err);
    if (bytes == 1 && pixel == 3)
        part(row, s->colour_row, s->mask_row, width, 3, 1);
    else
        part(row, s->colour_row, s->mask_row, width, pixel, bytes);
    if (!s->seen_through)
        s->seen_through = !is_opaque(s->mask_row, width * bytes);
    if (pack_row(&s->colour, s->colour_row, err) < 0)
        return -1;
    return pack_row(&s->mask, s->mask_row, err);
}

int split_finish(struct split *s, struct image *image, struct err *err)
{
    if (pack_finish(&s->colour, err) < 0 || image_give_packed(s->file, image, err) < 0)
        return -1;
    if (!s->shape.alpha || !s->seen_through)
        return 0;
    if (pack_finish(&s->mask, err) < 0)
        return -1;
    image_give_mask(s->file, image, s->shape.bits);
    return 0;
}

void split_free(struct split *s)
{
    pack_free(&s->colour);
    pack_free(&s->mask);
    free(s->colour_row);
    free(s->mask_row);
    s->colour_row = s->mask_row = NULL;
}
