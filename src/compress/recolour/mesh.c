/* mesh: converts the data of shadings of types 4 to 7 (ISO 32000-2, 8.7.4.5.5 to 8). See part.h. */
#include <math.h>
#include <stdlib.h>

#include "base/scope.h"
#include "compress/recolour/part.h"

struct bits {
    const unsigned char *data;
    size_t n, at; /* bits */
};

struct writer {
    struct buf *out;
    unsigned byte, n;
};

struct shape {
    unsigned flag_bits, place_bits, recolour_bits;
    size_t n; /* components */
    double low[SPACE_COMPONENTS], high[SPACE_COMPONENTS];
};

static bool has(const struct bits *in, size_t n)
{
    return in->n - in->at >= n;
}

static uint64_t read_bits(struct bits *in, unsigned n)
{
    uint64_t value = 0;

    for (; n > 0 && in->at < in->n; n--, in->at++)
        value = value << 1 | (in->data[in->at / 8] >> (7 - in->at % 8) & 1);
    return value;
}

static void put(struct writer *w, uint64_t value, unsigned n)
{
    while (n-- > 0) {
        w->byte = w->byte << 1 | (unsigned) (value >> n & 1);
        if (++w->n == 8) {
            buf_putc(w->out, (char) w->byte);
            w->byte = w->n = 0;
        }
    }
}

/* Skips to the next whole byte, in both streams. */
static void align(struct bits *in, struct writer *w)
{
    in->at = (in->at + 7) / 8 * 8;
    if (in->at > in->n)
        in->at = in->n;
    if (w->n > 0)
        put(w, 0, 8 - w->n);
}

static bool read_shape(struct obj shading, long long type, const struct space *space,
                       bool by_function, struct shape *shape)
{
    AUTO_OBJ struct obj decode = obj_key(shading, "/Decode");
    long long place = 0, colour = 0, flag = 0;

    if (!obj_key_int(shading, "/BitsPerCoordinate", &place) ||
        !obj_key_int(shading, "/BitsPerComponent", &colour) || place < 1 || place > 32 ||
        colour < 1 || colour > 16)
        return false;
    if (type != 5 && (!obj_key_int(shading, "/BitsPerFlag", &flag) || flag < 2 || flag > 8))
        return false;
    shape->flag_bits = (unsigned) flag;
    shape->place_bits = (unsigned) place;
    shape->recolour_bits = (unsigned) colour;
    shape->n = by_function ? 1 : space->n;
    for (int i = 0; i < (int) shape->n; i++) {
        AUTO_OBJ struct obj low = obj_item(decode, 4 + 2 * i);
        AUTO_OBJ struct obj high = obj_item(decode, 5 + 2 * i);

        if (!obj_is_number(low, &shape->low[i]) || !obj_is_number(high, &shape->high[i]))
            return false;
    }
    return true;
}

static void convert_colour(struct bits *in, struct writer *w, const struct shape *shape,
                           const struct space *space)
{
    double most = ldexp(1, (int) shape->recolour_bits) - 1, colour[SPACE_COMPONENTS] = { 0 };

    for (size_t i = 0; i < shape->n; i++)
        colour[i] = shape->low[i] + (double) read_bits(in, shape->recolour_bits) / most *
                                        (shape->high[i] - shape->low[i]);
    put(w, (uint64_t) lround(space_gray(space, colour) * 65535), 16);
}

/* Converts one vertex, or one patch. */
static bool convert_part(struct bits *in, struct writer *w, long long type,
                         const struct shape *shape, const struct space *space)
{
    uint64_t flag = read_bits(in, shape->flag_bits);
    unsigned places = 1, colours = 1;

    if (type >= 6) {
        places = (type == 6 ? 12U : 16U) - (flag & 3 ? 4 : 0);
        colours = flag & 3 ? 2 : 4;
    }
    if (!has(in, (size_t) places * 2 * shape->place_bits +
                     (size_t) colours * shape->n * shape->recolour_bits))
        return false;
    put(w, flag, shape->flag_bits);
    for (unsigned i = 0; i < places * 2; i++)
        put(w, read_bits(in, shape->place_bits), shape->place_bits);
    for (unsigned i = 0; i < colours; i++)
        convert_colour(in, w, shape, space);
    align(in, w);
    return true;
}

static void set_decode(struct obj shading)
{
    AUTO_OBJ struct obj before = obj_key(shading, "/Decode");
    AUTO_OBJ struct obj decode = obj_new_array(shading.q);

    for (int i = 0; i < 6; i++) {
        AUTO_OBJ struct obj item =
            i < 4 ? obj_item(before, i) : obj_new_int(shading.q, i == 4 ? 0 : 1);

        obj_append(decode, item);
    }
    obj_set(shading, "/Decode", decode);
    obj_set_int(shading, "/BitsPerComponent", 16);
}

bool recolour_mesh(struct obj shading, long long type, const struct space *space, bool by_function)
{
    AUTO_FREE unsigned char *data = NULL;
    AUTO_BUF struct buf out = BUF_EMPTY;
    struct writer w = { .out = &out };
    struct shape shape = { 0 };
    struct bits in = { 0 };
    size_t n;

    if (type > 7 || !read_shape(shading, type, space, by_function, &shape))
        return false;
    if (by_function) /* its data are inputs of the function */
        return true;
    if (!obj_stream_data(shading, &data, &n) || n > SIZE_MAX / 8)
        return false;
    in = (struct bits){ .data = data, .n = n * 8 };
    while (in.at < in.n && convert_part(&in, &w, type, &shape, space))
        ;
    if (out.failed)
        return false;
    obj_remove(shading, "/Filter");
    obj_remove(shading, "/DecodeParms");
    set_decode(shading);
    obj_set_stream(shading, buf_text(&out), out.len);
    return true;
}
