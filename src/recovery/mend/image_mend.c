#include "recovery/mend/image_mend.h"

#include <stdio.h>
#include <string.h>

#include "base/jpeg_marker.h"
#include "base/num.h"
#include "base/octets.h"
#include "recovery/image_repair/jpeg_mend.h"
#include "recovery/mend/image_entries.h"
#include "recovery/objects/stream.h"

#define CHECKED_PER_MCU 64U /* bytes unpacked that cost as much as to repair an MCU */
#define MISSING_MAX     65536
#define HEAD_MAX        131072U /* bytes in which the size must be, after profiles and previews */

struct filters {
    int n, hex, dct;
    bool dct_last;
};

static bool keep_filter(void *arg, struct text value)
{
    struct filters *filters = arg;

    filters->dct_last = text_is(value, "/DCTDecode") || text_is(value, "/DCT");
    filters->dct += filters->dct_last;
    filters->hex += text_is(value, "/ASCIIHexDecode") || text_is(value, "/AHx");
    filters->n++;
    return true;
}

static void decode_hex(const unsigned char *data, size_t n, struct buf *out)
{
    int high = -1;

    for (size_t i = 0; i < n && data[i] != '>' && out->len < HEAD_MAX; i++) {
        int digit = num_hex_digit((char) data[i]);

        if (digit >= 0 && high >= 0)
            buf_putc(out, (char) (high << 4 | digit));
        if (digit >= 0)
            high = high < 0 ? digit : -1;
    }
}

static bool jpeg_size(const unsigned char *d, size_t n, unsigned *width, unsigned *height)
{
    size_t at = 2;

    if (n < 4 || d[0] != 0xff || d[1] != JPEG_SOI)
        return false;
    while (at + 9 <= n && d[at] == 0xff) {
        unsigned char marker = d[at + 1];

        if (marker == 0xff) { /* fills */
            at++;
            continue;
        }
        if (jpeg_marker_is_frame(marker)) {
            *height = octets_be16(d + at + 5);
            *width = octets_be16(d + at + 7);
            return *width > 0 && *height > 0;
        }
        at += 2 + octets_be16(d + at + 2);
    }
    return false;
}

static bool says(const struct objects *objects, struct text dict, const char *key, unsigned want)
{
    uint64_t number;

    return text_number(objects_key(objects, dict, key), &number) && number == want;
}

/* Bytes that are missing of a stream of this length; 0 if it is not known, or unlikely. */
static int missing_of(uint64_t length, size_t n)
{
    int64_t missing = length > 0 && length < INT32_MAX ? (int64_t) length - (int64_t) n : 0;

    return missing > -MISSING_MAX && missing < MISSING_MAX ? (int) missing : 0;
}

/* Repairs the data of a JPEG image. */
static bool mend_jpeg(struct objects *objects, struct object *object, size_t *damaged)
{
    AUTO_BUF struct buf image = BUF_EMPTY;
    struct text dict = objects_text(objects, object);
    uint64_t length = 0;
    bool other_length =
        text_number(objects_key(objects, dict, "/Length"), &length) && length != object->data_n;
    struct jpeg_hint hint = { image_number(objects, dict, "/Width"),
                              image_number(objects, dict, "/Height"),
                              image_components(objects, dict), !object->whole || other_length,
                              missing_of(length, object->data_n) };
    struct jpeg_mended mended;
    enum jpeg_state state;

    if (!objects_may_check(objects))
        return true;
    state = jpeg_mend(objects->file + object->data, object->data_n, &hint, &image, &mended);
    objects->checked += object->data_n + CHECKED_PER_MCU * mended.work;
    if (state != JPEG_MENDED)
        return true;
    ++*damaged;
    object->damaged = true;
    object->mended_n = image.len;
    object->mended = (unsigned char *) buf_take(&image);
    return object->mended != NULL;
}

bool image_mend(struct objects *objects, struct object *object, size_t *damaged)
{
    static const char *const without[] = { "/Width", "/Height", NULL };
    AUTO_BUF struct buf head = BUF_EMPTY;
    struct text dict = objects_text(objects, object);
    struct text filter = objects_key(objects, dict, "/Filter");
    const unsigned char *data;
    size_t n;
    struct filters filters = { 0 };
    unsigned width, height;
    char size[60];

    if (!dict_name_is(dict, "/Subtype", "/Image"))
        return true;
    if (text_is_array(filter))
        dict_walk_array(filter, keep_filter, &filters);
    else if (filter.at)
        keep_filter(&filters, filter);
    if (filters.dct != 1 || !filters.dct_last || filters.hex != filters.n - 1 || filters.n > 2)
        return true;
    if (!filters.hex && !mend_jpeg(objects, object, damaged))
        return false;
    data = stream_data(objects, object, &n);
    n = n < (size_t) HEAD_MAX * 3 ? n : (size_t) HEAD_MAX * 3;
    if (filters.hex)
        decode_hex(data, n, &head);
    else
        buf_put(&head, data, n);
    if (head.failed)
        return false;
    if (!jpeg_size((const unsigned char *) buf_text(&head), head.len, &width, &height) ||
        (says(objects, dict, "/Width", width) && says(objects, dict, "/Height", height)))
        return true;
    snprintf(size, sizeof size, "/Width %u /Height %u ", width, height);
    return objects_change(objects, object, without, (struct text){ size, strlen(size) });
}
