/* image_gray: images that lose their colours. See image_job.h and compress/recolour/recolour.h. */
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "compress/images/image_job.h"
#include "compress/recolour/space.h"
#include "image/codec/dct.h"
#include "image/codec/jpx_read.h"
#include "pdf/object/image_dict.h"

/* quality for JPEG images whose colours are removed, if nothing else may be lost */
#define GOOD_JPEG 92
#define SLOTS     4096 /* colours whose gray levels are remembered */

/* Converts samples of one channel to the values that they represent. */
struct channel {
    double low, step;
};

struct levels {
    const struct space *space;
    struct channel channels[SPACE_COMPONENTS];
    uint32_t keys[SLOTS]; /* of up to four channels; 0 is for none */
    uint8_t grays[SLOTS];
};

static void open_levels(struct levels *levels, const struct space *space, struct obj image)
{
    memset(levels, 0, sizeof *levels);
    levels->space = space;
    for (size_t i = 0; i < space->n; i++) {
        double low, high;

        space_decode(space, i, 8, &low, &high);
        image_dict_decode(image, i, &low, &high);
        levels->channels[i] = (struct channel){ low, (high - low) / 255 };
    }
}

static uint8_t level_of(struct levels *levels, const uint8_t *sample)
{
    double colour[SPACE_COMPONENTS];
    size_t n = levels->space->n, slot;
    uint32_t key = 0;

    for (size_t i = 0; i < n && n <= 4; i++)
        key = key << 8 | sample[i];
    slot = (key * 2654435761U) >> 20;
    if (key && levels->keys[slot] == key)
        return levels->grays[slot];
    for (size_t i = 0; i < n; i++)
        colour[i] = levels->channels[i].low + sample[i] * levels->channels[i].step;
    levels->keys[slot] = key;
    levels->grays[slot] = (uint8_t) (space_gray(levels->space, colour) * 255 + 0.5);
    return levels->grays[slot];
}

/* In place. */
static bool samples_to_gray(struct raster *raster, const struct space *space, struct obj image)
{
    AUTO_FREE struct levels *levels = malloc(sizeof *levels);
    size_t n = raster->width * raster->height;

    if (!levels || raster->channels != space->n)
        return false;
    open_levels(levels, space, image);
    for (size_t i = 0; i < n; i++)
        raster->data[i] = level_of(levels, raster->data + i * raster->channels);
    raster->channels = 1;
    return true;
}

/* Which samples are not painted (8.9.6.4). */
struct key {
    unsigned low[SPACE_COMPONENTS], high[SPACE_COMPONENTS];
};

static bool read_key(struct image_job *image, size_t n, struct key *key)
{
    AUTO_OBJ struct obj mask = obj_key(image->obj, "/Mask");
    unsigned most = (1U << image->info.bits) - 1;

    for (size_t i = 0; i < 2 * n; i++) {
        AUTO_OBJ struct obj item = obj_item(mask, (int) i);
        long long value;

        if (!obj_is_int(item, &value) || image->info.bits > 8 || value < 0 || value > most)
            return false;
        *(i % 2 ? &key->high[i / 2] : &key->low[i / 2]) = (unsigned) value * 255 / most;
    }
    return true;
}

/* Black was the transparent colour; other black pixels become nearly black. */
static bool keyed_to_gray(struct image_job *image, const struct space *space)
{
    struct raster *raster = &image->large;
    size_t n = raster->width * raster->height;
    AUTO_FREE uint8_t *hidden = calloc(n, 1);
    struct key key = { 0 };

    if (!hidden || !read_key(image, raster->channels, &key))
        return false;
    for (size_t i = 0; i < n; i++) {
        hidden[i] = 1;
        for (size_t c = 0; c < raster->channels; c++) {
            uint8_t value = raster->data[i * raster->channels + c];

            hidden[i] &= value >= key.low[c] && value <= key.high[c];
        }
    }
    if (!samples_to_gray(raster, space, image->obj))
        return false;
    for (size_t i = 0; i < n; i++)
        raster->data[i] = hidden[i] ? 0 : raster->data[i] ? raster->data[i] : 1;
    return true;
}

static bool read_samples(struct image_job *image)
{
    struct image_info info = image->info;
    AUTO_FREE unsigned char *data = NULL;
    size_t n, row = (info.width * info.channels * info.bits + 7) / 8, size;

    if (!obj_stream_data(image->obj, &data, &n) || !num_mul(row, info.height, &size) || n < size)
        return false;
    if (info.bits == 16) {
        image_halve_bits(data, size);
        info.bits = 8;
    }
    info.indexed = false; /* its numbers, not its colours */
    return image_expand(&info, data, &image->large);
}

/* JPEG data in which other filters are to be undone first is not handled: it hardly occurs in
 * colour. */
static bool read_any(struct image_job *image)
{
    const struct buf *data = &image->out->data;
    unsigned halvings = image_halvings(image);

    switch (image->info.filter) {
    case IMAGE_DCT:
        return !image->info.packed && dct_read(data->data, data->len, image->info.transform,
                                               image_eighths(image), &image->large);
    case IMAGE_JPX:
        return !image->info.packed &&
               (jpx_read(data->data, data->len, halvings, &image->large) ||
                (halvings > 0 && jpx_read(data->data, data->len, 0, &image->large)));
    case IMAGE_LOSSLESS:
        return read_samples(image);
    case IMAGE_CCITT:
    case IMAGE_JBIG2:
    case IMAGE_UNKNOWN:
        break;
    }
    return false;
}

/* The samples stay; only the palette changes. */
static enum image_gray write_palette(struct image_job *image, const struct space *space)
{
    AUTO_OBJ struct obj map = obj_key(image->obj, "/Decode");
    AUTO_BUF struct buf palette = BUF_EMPTY;
    unsigned most = (1U << image->info.bits) - 1;
    uint8_t table[256];

    space_table(space, map, image->info.bits, table);
    if (image->info.indexed && !image->info.decode && image->info.n_colours <= most)
        most = (unsigned) image->info.n_colours - 1;
    buf_printf(&palette, "[/Indexed/DeviceGray %u<", most);
    for (unsigned i = 0; i <= most; i++)
        buf_printf(&palette, "%02x", table[i]);
    buf_puts(&palette, ">]");
    if (palette.failed || !new_stream_set(image->out, "/ColorSpace", "%s", palette.data))
        return IMAGE_GRAY_FAILED;
    new_stream_remove(image->out, "/Decode");
    image->info.base[0] = '\0'; /* no samples are to change */
    if (image->info.bits == 1 && image->info.filter != IMAGE_JPX)
        image_recode_mono(image);
    else if (image->info.filter == IMAGE_LOSSLESS)
        image_recode_samples(image);
    return IMAGE_GRAY_WRITTEN;
}

static void set_gray(struct image_job *image)
{
    image->info.channels = 1;
    image->info.bits = 8;
    image->info.space = SPACE_GRAY;
    image->info.device = true;
    image->info.indexed = image->info.decode = false;
    image->info.base_id = 0;
    snprintf(image->info.base, sizeof image->info.base, "/DeviceGray");
}

/* JPEG stores luminance separately: it alone is a gray image, which is processed like any other. */
static bool repack(struct image_job *image, const struct space *space)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;
    const struct buf *data = &image->out->data;
    struct dct_info dct;

    if (image->info.filter != IMAGE_DCT || space->by != SPACE_BY_RGB || image->info.decode ||
        image->info.keyed || image->info.packed ||
        !dct_look(data->data, data->len, image->info.transform, &dct) || !dct.plain ||
        !dct.turned || !dct_repack_gray(data->data, data->len, &packed) ||
        !image_replace(image, &packed, "/DCTDecode", image->info.width, image->info.height) ||
        !image_set_space(image, "/DeviceGray", 8))
        return false;
    set_gray(image);
    return true;
}

static bool convert(struct image_job *image, const struct space *space)
{
    if (!image->large.data && !read_any(image))
        return false;
    if (image->info.keyed) {
        if (!keyed_to_gray(image, space))
            return false;
    } else if (image->info.filter == IMAGE_JPX && image->large.channels == 3) {
        raster_to_gray(&image->large);
    } else if (!samples_to_gray(&image->large, space, image->obj)) {
        return false;
    }
    if (image->info.filter != IMAGE_LOSSLESS && image->profile.jpeg == 0 && !image->info.keyed)
        image->profile.jpeg = GOOD_JPEG;
    image->info.filter = IMAGE_LOSSLESS;
    set_gray(image);
    return true;
}

/* Some space that has as many channels: it is damaged, or stays in colour. */
static enum image_gray give_up(struct image_job *image)
{
    static const char *const devices[] = { "/DeviceGray", "/DeviceRGB", "/DeviceCMYK" };

    raster_free(&image->large);
    if (image->info.filter == IMAGE_JPX)
        new_stream_remove(image->out, "/ColorSpace");
    else
        new_stream_set(image->out, "/ColorSpace", "%s",
                       devices[image->info.channels == 4 ? 2 : image->info.channels == 3]);
    return IMAGE_GRAY_FAILED;
}

/* Without a colour space the JPEG 2000 data itself says what it has. */
static bool is_gray_already(struct image_job *image, struct obj name)
{
    if (name.q)
        return false;
    if (!read_any(image) || image->large.channels != 1)
        return false;
    raster_free(&image->large);
    return true;
}

enum image_gray image_make_gray(struct image_job *image, struct obj name)
{
    AUTO_SPACE struct space *space = space_open(name, OBJ_NONE);

    if (is_gray_already(image, name))
        return IMAGE_GRAY_NOW;
    if (!space)
        return give_up(image);
    if (space->n == 1 && image->info.bits <= 8 &&
        (image->info.bits < 8 || image->info.keyed || image->info.filter == IMAGE_JPX) &&
        (image->info.filter != IMAGE_JPX || space->by == SPACE_BY_TABLE))
        return write_palette(image, space);
    if (image->info.filter == IMAGE_DCT && image->info.packed && image_strip_filters(image))
        image->info.packed = false;
    if (repack(image, space))
        return IMAGE_GRAY_NOW;
    return convert(image, space) ? IMAGE_GRAY_RASTER : give_up(image);
}
