#include "compress/images/image_info.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"
#include "compress/content/compact.h"
#include "pdf/object/image_dict.h"

#define MAX_SIDE 65500

static bool read_filter(struct obj image, struct image_info *info)
{
    static const struct {
        const char *name;
        enum image_filter filter;
    } known[] = {
        { "/DCTDecode", IMAGE_DCT },
        { "/JPXDecode", IMAGE_JPX },
        { "/CCITTFaxDecode", IMAGE_CCITT },
        { "/JBIG2Decode", IMAGE_JBIG2 },
    };
    AUTO_OBJ struct obj filter = obj_key(image, "/Filter");
    int n = obj_is_array(filter) ? obj_count(filter) : 1;

    info->filter = IMAGE_LOSSLESS;
    if (obj_is_null(filter))
        return true;
    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj name = obj_is_array(filter) ? obj_item(filter, i) : obj_same(filter);
        enum image_filter found = image_dict_is_lossless(name) ? IMAGE_LOSSLESS : IMAGE_UNKNOWN;

        for (size_t k = 0; k < COUNT(known); k++)
            if (obj_name_is(name, known[k].name))
                found = known[k].filter;
        if (found == IMAGE_UNKNOWN || info->filter != IMAGE_LOSSLESS)
            return false;
        info->filter = found;
    }
    info->packed = n > 1;
    return true;
}

static bool device_space(struct obj name, struct image_info *info)
{
    info->device = true;
    if (obj_name_is(name, "/DeviceGray") || obj_name_is(name, "/G")) {
        info->space = SPACE_GRAY;
        info->channels = 1;
    } else if (obj_name_is(name, "/DeviceRGB") || obj_name_is(name, "/RGB")) {
        info->space = SPACE_RGB;
        info->channels = 3;
    } else if (obj_name_is(name, "/DeviceCMYK") || obj_name_is(name, "/CMYK")) {
        info->space = SPACE_CMYK;
        info->channels = 4;
    } else {
        return false;
    }
    return true;
}

static bool profile_space(struct obj array, struct image_info *info)
{
    static const enum image_space spaces[] = { SPACE_NONE, SPACE_GRAY, SPACE_NONE, SPACE_RGB,
                                               SPACE_CMYK };
    AUTO_OBJ struct obj profile = obj_item(array, 1);
    long long n = 0;

    if (!obj_key_int(profile, "/N", &n) || n < 1 || n > 4 || n == 2)
        return false;
    info->space = spaces[n];
    info->channels = (size_t) n;
    info->device = false;
    return true;
}

/* How to name the space in another dictionary. */
static void describe(struct obj space, struct image_info *info)
{
    AUTO_OBJ struct obj kind = obj_item(space, 0);
    AUTO_OBJ struct obj profile = obj_item(space, 1);
    size_t n = 0;
    const char *name = obj_is_name(space) ? obj_bytes(space, &n) : NULL;

    if (name && n < sizeof info->base) {
        memcpy(info->base, name, n);
    } else if (obj_is_indirect(space)) {
        info->base[0] = COMPACT_REF;
        info->base_id = obj_id(space);
    } else if (obj_name_is(kind, "/ICCBased") && obj_is_indirect(profile)) {
        snprintf(info->base, sizeof info->base, "[/ICCBased %c]", COMPACT_REF);
        info->base_id = obj_id(profile);
    }
}

static bool read_space(struct obj space, struct image_info *info, bool base);

static bool read_palette(struct obj array, struct image_info *info)
{
    AUTO_OBJ struct obj base = obj_item(array, 1);
    AUTO_OBJ struct obj high = obj_item(array, 2);
    AUTO_OBJ struct obj table = obj_item(array, 3);
    AUTO_FREE unsigned char *data = NULL;
    const char *bytes = NULL;
    long long last = 0;
    size_t n = 0;

    memset(info->base, 0, sizeof info->base);
    if (!read_space(base, info, true) || !obj_is_int(high, &last) || last < 0 || last > 255)
        return false;
    info->n_colours = (size_t) last + 1;
    if (obj_is_stream(table))
        bytes = obj_stream_data(table, &data, &n) ? (const char *) data : NULL;
    else
        bytes = obj_bytes(table, &n);
    if (!bytes || info->channels > 4)
        return false;
    if (n > info->n_colours * info->channels)
        n = info->n_colours * info->channels;
    memcpy(info->palette, bytes, n);
    info->channels = 1;
    info->indexed = true;
    return true;
}

static bool read_space(struct obj space, struct image_info *info, bool base)
{
    AUTO_OBJ struct obj kind = obj_item(space, 0);
    AUTO_OBJ struct obj names = OBJ_NONE;

    info->space = SPACE_OTHER;
    info->channels = 1;
    info->device = false;
    describe(space, info);
    if (obj_is_name(space))
        return device_space(space, info);
    if (obj_count(space) == 1)
        return device_space(kind, info);
    if (obj_name_is(kind, "/ICCBased"))
        return profile_space(space, info);
    if (obj_name_is(kind, "/CalGray")) {
        info->space = SPACE_GRAY;
    } else if (obj_name_is(kind, "/CalRGB")) {
        info->space = SPACE_RGB;
        info->channels = 3;
    } else if (obj_name_is(kind, "/Lab")) {
        info->channels = 3;
    } else if (obj_name_is(kind, "/DeviceN")) {
        names = obj_item(space, 1);
        info->channels = (size_t) obj_count(names);
        return info->channels > 0 && info->channels <= 32;
    } else if (obj_name_is(kind, "/Indexed") || obj_name_is(kind, "/I")) {
        return !base && read_palette(space, info);
    } else {
        return obj_name_is(kind, "/Separation");
    }
    return true;
}

/* Whether the samples are mapped otherwise than without the array. */
static bool is_mapped(struct obj image, const struct image_info *info)
{
    AUTO_OBJ struct obj decode = obj_key(image, "/Decode");
    int n = obj_count(decode);
    double high = info->indexed ? (double) ((1u << info->bits) - 1) : 1;

    for (int i = 0; i < n; i++) {
        AUTO_OBJ struct obj item = obj_item(decode, i);
        double value = 0;

        if (!obj_is_number(item, &value) || fabs(value - (i % 2 ? high : 0)) > 1e-6)
            return true;
    }
    return false;
}

static bool flag(struct obj dict, const char *key)
{
    AUTO_OBJ struct obj value = obj_key(dict, key);
    bool set = false;

    return obj_is_bool(value, &set) && set;
}

/* Of its last filter. */
static struct obj last_parms(struct obj image)
{
    AUTO_OBJ struct obj held = obj_key(image, "/DecodeParms");

    return obj_is_array(held) ? obj_item(held, obj_count(held) - 1) : obj_same(held);
}

/* Readers take an array for an array of filters alone. */
static void read_dct(struct obj image, struct image_info *info)
{
    AUTO_OBJ struct obj filter = obj_key(image, "/Filter");
    AUTO_OBJ struct obj held = obj_key(image, "/DecodeParms");
    AUTO_OBJ struct obj parms = last_parms(image);
    long long transform;

    if (obj_is_array(filter) == obj_is_array(held) &&
        obj_key_int(parms, "/ColorTransform", &transform))
        info->transform = transform != 0;
}

static void read_ccitt(struct obj image, struct image_info *info)
{
    AUTO_OBJ struct obj parms = last_parms(image);

    info->k = 0;
    info->columns = 1728;
    obj_key_int(parms, "/K", &info->k);
    obj_key_int(parms, "/Columns", &info->columns);
    obj_key_int(parms, "/Rows", &info->rows);
    info->byte_aligned = flag(parms, "/EncodedByteAlign");
    info->black_is_1 = flag(parms, "/BlackIs1");
}

bool image_info_read(struct obj image, struct image_info *info)
{
    AUTO_OBJ struct obj space = obj_key(image, "/ColorSpace");

    return image_info_read_as(image, space, info);
}

bool image_info_read_as(struct obj image, struct obj space, struct image_info *info)
{
    AUTO_OBJ struct obj mask = obj_key(image, "/Mask");
    AUTO_OBJ struct obj soft = obj_key(image, "/SMask");
    long long width = 0, height = 0, bits = 8, inside = 0;

    *info = (struct image_info){ .channels = 1, .transform = -1 };
    if (!read_filter(image, info) || !obj_key_int(image, "/Width", &width) ||
        !obj_key_int(image, "/Height", &height) || width < 1 || height < 1 || width > MAX_SIDE ||
        height > MAX_SIDE)
        return false;
    info->width = (size_t) width;
    info->height = (size_t) height;
    info->stencil = flag(image, "/ImageMask");
    obj_key_int(image, "/BitsPerComponent", &bits);
    if (info->stencil || info->filter == IMAGE_CCITT || info->filter == IMAGE_JBIG2)
        bits = 1;
    if (bits != 1 && bits != 2 && bits != 4 && bits != 8 && bits != 16)
        return false;
    info->bits = (unsigned) bits;
    if (!space.q || obj_is_null(space))
        info->space = info->stencil ? SPACE_GRAY : SPACE_NONE;
    else if (!read_space(space, info, false))
        return false;
    info->decode = is_mapped(image, info);
    info->overruled = obj_is_array(mask) && obj_is_stream(soft);
    info->keyed = obj_is_array(mask) && !info->overruled;
    info->matted = obj_has(image, "/Matte") || obj_has(soft, "/Matte");
    if (obj_key_int(image, "/SMaskInData", &inside) && inside != 0)
        return false;
    if (info->filter == IMAGE_DCT)
        read_dct(image, info);
    if (info->filter == IMAGE_CCITT)
        read_ccitt(image, info);
    return true;
}
