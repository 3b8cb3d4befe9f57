/* inline: converts inline images (ISO 32000-2, 8.9.7) to gray. See part.h. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/scope.h"
#include "compress/recolour/part.h"
#include "pdf/content/inline_image.h"
#include "pdf/object/image_dict.h"
#include "syntax/pdf/literal.h"

#define MAX_PIXELS 16000000

/* Decodes data with lossless filters. */
static bool decode(struct obj dict, const unsigned char *data, size_t n, unsigned char **out,
                   size_t *n_out)
{
    AUTO_OBJ struct obj stream = obj_new_stream(dict.q, data, n);
    AUTO_OBJ struct obj filter = obj_key(dict, "/Filter");
    AUTO_OBJ struct obj parms = obj_key(dict, "/DecodeParms");
    AUTO_OBJ struct obj names = obj_new_array(dict.q);

    for (int i = 0; i < (obj_is_array(filter) ? obj_count(filter) : 1); i++) {
        AUTO_OBJ struct obj name = obj_is_array(filter) ? obj_item(filter, i) : obj_same(filter);
        AUTO_OBJ struct obj full = inline_image_filter(name);

        if (obj_is_name(full))
            obj_append(names, full);
    }
    if (obj_count(names) > 0)
        obj_set(stream, "/Filter", names);
    if (!obj_is_null(parms))
        obj_set(stream, "/DecodeParms", parms);
    obj_set_stream(stream, data, n);
    return obj_stream_data(stream, out, n_out);
}

/* Writes samples as gray levels of one byte, in hexadecimal digits, which no reader takes for
 * the end. */
static bool put_samples(const struct space *space, struct obj dict, const unsigned char *data,
                        size_t n, struct buf *out)
{
    long long width = 0, height = 0, bits = 8;
    size_t row, size;
    double low[SPACE_COMPONENTS], high[SPACE_COMPONENTS];

    obj_key_int(dict, "/BitsPerComponent", &bits);
    if (!obj_key_int(dict, "/Width", &width) || !obj_key_int(dict, "/Height", &height) ||
        width < 1 || height < 1 || width > 32767 || height > 32767 || width * height > MAX_PIXELS ||
        (bits != 1 && bits != 2 && bits != 4 && bits != 8))
        return false;
    row = ((size_t) width * space->n * (size_t) bits + 7) / 8;
    if (!num_mul(row, (size_t) height, &size) || n < size)
        return false;
    for (size_t i = 0; i < space->n; i++) {
        space_decode(space, i, (unsigned) bits, &low[i], &high[i]);
        image_dict_decode(dict, i, &low[i], &high[i]);
    }
    buf_printf(out, "BI/W %lld/H %lld/BPC 8/CS/G/F/AHx ID ", width, height);
    for (size_t y = 0; y < (size_t) height; y++)
        for (size_t x = 0; x < (size_t) width; x++) {
            double colour[SPACE_COMPONENTS], most = (double) ((1U << bits) - 1);

            for (size_t c = 0; c < space->n; c++) {
                size_t bit = (x * space->n + c) * (size_t) bits;
                unsigned value = data[y * row + bit / 8] >> (8 - (size_t) bits - bit % 8);

                colour[c] = low[c] + (value & (unsigned) most) / most * (high[c] - low[c]);
            }
            buf_printf(out, "%02x", (unsigned) (space_gray(space, colour) * 255 + 0.5));
        }
    buf_puts(out, ">\nEI");
    return true;
}

/* The data stay the same: only the palette changes. */
static bool put_palette(const struct space *space, struct obj dict, const unsigned char *data,
                        size_t n, struct buf *out)
{
    AUTO_OBJ struct obj map = obj_key(dict, "/Decode");
    AUTO_BUF struct buf palette = BUF_EMPTY;
    AUTO_OBJ struct obj made = OBJ_NONE;
    uint8_t table[256];
    long long bits = 8;
    const char *text;

    obj_key_int(dict, "/BitsPerComponent", &bits);
    if (bits != 1 && bits != 2 && bits != 4 && bits != 8)
        return false;
    space_table(space, map, (unsigned) bits, table);
    buf_printf(&palette, "[/Indexed/DeviceGray %u", (1U << bits) - 1);
    literal_put_hex(&palette, table, (size_t) 1 << bits);
    buf_putc(&palette, ']');
    if (palette.failed)
        return false;
    made = obj_parse(dict.q, palette.data);
    obj_set(dict, "/ColorSpace", made);
    obj_remove(dict, "/Decode");
    text = obj_text(dict);
    if (strlen(text) < 4)
        return false;
    buf_puts(out, "BI ");
    buf_put(out, text + 2, strlen(text) - 4);
    buf_puts(out, " ID ");
    buf_put(out, data, n);
    buf_puts(out, "\nEI");
    return true;
}

bool recolour_inline_image(struct recolour *c, struct obj resources, const char *text, size_t n,
                           const unsigned char *data, size_t n_data, struct buf *out)
{
    AUTO_OBJ struct obj dict = inline_image_dict(c->q, text, n);
    AUTO_OBJ struct obj name = obj_key(dict, "/ColorSpace");
    AUTO_OBJ struct obj mask = obj_key(dict, "/ImageMask");
    AUTO_FREE unsigned char *samples = NULL;
    AUTO_SPACE struct space *space = NULL;
    size_t n_samples;
    bool stencil = false;

    if ((obj_is_bool(mask, &stencil) && stencil) || obj_is_null(name))
        return false;
    space = recolour_space(c, name, resources);
    if (!space || space->kind != SPACE_IS_COLOUR)
        return false;
    if (space->n == 1 && put_palette(space, dict, data, n_data, out))
        return true;
    if (decode(dict, data, n_data, &samples, &n_samples) &&
        put_samples(space, dict, samples, n_samples, out))
        return true;
    c->failures++;
    return false;
}
