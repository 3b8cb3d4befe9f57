/* image: images whose samples or palettes become sRGB or gray. See part.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "compress/recolour/part.h"
#include "image/codec/dct.h"
#include "pdf/object/image_dict.h"
#include "syntax/inflate/flate.h"

#define MAX_SIDE   65500
#define MAX_PIXELS (64UL << 20) /* of one image */
#define DEAR       10  /* JPEG images of this many times the profile's bytes stay as they are */
#define MAX_TABLE  256 /* colours of a palette */

struct picture {
    size_t width, height;
    bool jpeg, indexed;
    bool wide;     /* it has 16 bits a sample, of which the first 8 are converted */
    int transform; /* of JPEG: its ColorTransform, or -1 */
};

static bool read_filter(struct obj image, struct picture *picture)
{
    AUTO_OBJ struct obj filter = obj_key(image, "/Filter");
    AUTO_OBJ struct obj parms = obj_key(image, "/DecodeParms");
    int n = obj_is_array(filter) ? obj_count(filter) : obj_is_null(filter) ? 0 : 1;
    long long transform = 0;

    picture->transform = -1;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj name = obj_is_array(filter) ? obj_item(filter, i) : obj_same(filter);

        picture->jpeg |= n == 1 && obj_name_is(name, "/DCTDecode");
        if (!image_dict_is_lossless(name) && !picture->jpeg)
            return false;
    }
    if (obj_key_int(parms, "/ColorTransform", &transform))
        picture->transform = transform != 0;
    return true;
}

/* Samples that are masked by their colour cannot change. */
static bool is_keyed(struct obj image)
{
    AUTO_OBJ struct obj mask = obj_key(image, "/Mask");
    AUTO_OBJ struct obj soft = obj_key(image, "/SMask");
    long long inside = 0;

    return obj_is_array(mask) || obj_has(soft, "/Matte") ||
           (obj_key_int(image, "/SMaskInData", &inside) && inside != 0);
}

static bool read_picture(struct obj image, struct picture *picture)
{
    AUTO_OBJ struct obj space = obj_key(image, "/ColorSpace");
    AUTO_OBJ struct obj kind = obj_item(space, 0);
    AUTO_OBJ struct obj soft = obj_key(image, "/SMask");
    long long width = 0, height = 0, bits = 0;

    *picture = (struct picture){ .indexed = !obj_name_is(kind, "/ICCBased") };
    if (picture->indexed)
        return !obj_has(soft, "/Matte");
    if (!obj_key_int(image, "/Width", &width) || !obj_key_int(image, "/Height", &height) ||
        !obj_key_int(image, "/BitsPerComponent", &bits) || width < 1 || height < 1 ||
        width > MAX_SIDE || height > MAX_SIDE || is_keyed(image) || !read_filter(image, picture))
        return false;
    picture->width = (size_t) width;
    picture->height = (size_t) height;
    picture->wide = bits == 16 && !picture->jpeg;
    return picture->width * picture->height <= MAX_PIXELS && (bits == 8 || picture->wide);
}

bool recolour_image_fits(struct obj image, struct recolour_profile *profile)
{
    AUTO_FREE unsigned char *data = NULL;
    struct picture picture;
    struct dct_info info;
    size_t n;

    if (!read_picture(image, &picture))
        return false;
    if (!picture.jpeg)
        return true;
    if (!obj_stream_raw(image, &data, &n) || !dct_look(data, n, picture.transform, &info) ||
        !info.plain || info.channels != (int) profile->channels || info.width != picture.width ||
        info.height != picture.height)
        return false;
    profile->jpeg += n;
    /* In RGB an image takes less than in CMYK, but no less than in another RGB. */
    return profile->channels == 4 || profile->jpeg / DEAR <= profile->gain;
}

static uint8_t byte_of(double value)
{
    return value > 0 ? value < 1 ? (uint8_t) lround(value * 255) : 255 : 0;
}

/* Maps samples as the Decode array says (8.9.5.2). */
static void decode(struct obj image, struct raster *raster)
{
    AUTO_OBJ struct obj array = obj_key(image, "/Decode");
    size_t channels = raster->channels, n = raster->width * raster->height * channels;
    uint8_t maps[ICC_CONVERT_CHANNELS][256];

    if (obj_count(array) != 2 * (int) channels)
        return;
    for (size_t c = 0; c < channels; c++) {
        double low = 0, high = 1;

        image_dict_decode(image, c, &low, &high);
        for (int v = 0; v < 256; v++)
            maps[c][v] = byte_of(low + v * (high - low) / 255);
    }
    for (size_t i = 0; i < n; i++)
        raster->data[i] = maps[i % channels][raster->data[i]];
}

static bool read_samples(struct obj image, const struct picture *picture, unsigned channels,
                         struct raster *raster)
{
    AUTO_FREE unsigned char *data = NULL;
    size_t n, size = picture->width * picture->height * channels, step = picture->wide ? 2 : 1;

    if (picture->jpeg)
        return obj_stream_raw(image, &data, &n) &&
               dct_read(data, n, picture->transform, 8, raster) && raster->channels == channels &&
               raster->width == picture->width && raster->height == picture->height;
    if (!obj_stream_data(image, &data, &n) || n < size * step ||
        !raster_new(raster, picture->width, picture->height, channels))
        return false;
    for (size_t i = 0; i < size; i++)
        raster->data[i] = data[i * step];
    return true;
}

/* Leaves the first of every three bytes. */
static size_t thin(uint8_t *rgb, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rgb[i] = rgb[3 * i];
    return n;
}

static bool write_samples(struct recolour *c, struct obj image, bool gray, uint8_t *rgb, size_t n)
{
    AUTO_BUF struct buf packed = BUF_EMPTY;

    if (!flate_pack(rgb, gray ? thin(rgb, n) : 3 * n, FLATE_FAST, &packed)) {
        c->no_memory = true;
        return false;
    }
    obj_set_name(image, "/Filter", "/FlateDecode");
    obj_set_name(image, "/ColorSpace", gray ? "/DeviceGray" : "/DeviceRGB");
    obj_set_int(image, "/BitsPerComponent", 8);
    obj_remove(image, "/DecodeParms");
    obj_remove(image, "/Decode");
    obj_remove(image, "/Intent");
    obj_set_stream(image, packed.data, packed.len);
    return true;
}

static bool convert_palette(struct recolour *c, struct obj image, struct recolour_profile *profile,
                            enum icc_intent intent)
{
    AUTO_OBJ struct obj space = obj_key(image, "/ColorSpace");
    AUTO_OBJ struct obj high = obj_item(space, 2);
    AUTO_OBJ struct obj table = obj_item(space, 3);
    AUTO_OBJ struct obj made = OBJ_NONE;
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf text = BUF_EMPTY;
    uint8_t in[MAX_TABLE * ICC_CONVERT_CHANNELS] = { 0 }, rgb[MAX_TABLE * 3];
    long long last = 0;
    const char *bytes;
    size_t n = 0, most;

    if (!obj_is_int(high, &last) || last < 0 || last >= MAX_TABLE)
        return false;
    if (obj_is_stream(table))
        bytes = obj_stream_data(table, &data, &n) ? (const char *) data : NULL;
    else
        bytes = obj_bytes(table, &n);
    if (!bytes)
        return false;
    most = (size_t) (last + 1) * profile->channels;
    memcpy(in, bytes, n < most ? n : most);
    if (!icc_convert_pixels(profile->convert, intent, in, (size_t) last + 1, rgb))
        return false;
    buf_printf(&text, "[/Indexed/DeviceRGB %lld<", last);
    for (size_t i = 0; i < 3 * ((size_t) last + 1); i++)
        buf_printf(&text, "%02x", rgb[i]);
    buf_puts(&text, ">]");
    c->no_memory |= text.failed;
    if (text.failed)
        return false;
    made = obj_parse(c->q, buf_text(&text));
    obj_set(image, "/ColorSpace", made);
    obj_remove(image, "/Intent");
    return true;
}

/* The intent that an image is drawn with. */
static enum icc_intent intent_of(const struct recolour *c, struct obj image)
{
    AUTO_OBJ struct obj own = obj_key(image, "/Intent");
    size_t drawn = idmap_find(&c->intents, obj_id(image)), n = 0;
    const char *name = obj_is_name(own) ? obj_bytes(own, &n) : NULL;

    if (name)
        return recolour_intent(name);
    return drawn == IDMAP_NONE ? ICC_RELATIVE : (enum icc_intent) drawn;
}

bool recolour_image_to_srgb(struct recolour *c, struct obj image, struct recolour_profile *profile)
{
    enum icc_intent intent = intent_of(c, image);
    AUTO_RASTER struct raster raster = { 0 };
    AUTO_FREE uint8_t *rgb = NULL;
    struct picture picture;
    size_t n;

    if (!read_picture(image, &picture))
        return false;
    if (picture.indexed)
        return convert_palette(c, image, profile, intent);
    n = picture.width * picture.height;
    if (!read_samples(image, &picture, profile->channels, &raster))
        return false;
    decode(image, &raster);
    rgb = malloc(n * 3);
    c->no_memory |= !rgb;
    return rgb && icc_convert_pixels(profile->convert, intent, raster.data, n, rgb) &&
           write_samples(c, image, profile->channels == 1, rgb, n);
}
