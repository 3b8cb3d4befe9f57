#include "recovery/image_repair/jpx_mend.h"

#include <stdint.h>
#include <string.h>

#include "base/octets.h"

/* Annex A: markers, and the bytes of a tile part's head with its marker. */
#define SOT      0xff90
#define EOC      0xffd9
#define SOT_SIZE 12
#define SIZ_SIZE 38 /* up to the origin of the tiles, from its length on */

static const unsigned char beginning[] = { 0xff, 0x4f, 0xff, 0x51 }; /* SOC, SIZ */

struct image {
    const unsigned char *data; /* borrowed */
    size_t n;
    size_t begin; /* of the code stream */
    size_t tiles;
};

static size_t count_along(uint32_t size, uint32_t origin, uint32_t tile)
{
    return tile > 0 && size > origin ? ((size_t) size - origin + tile - 1) / tile : 0;
}

/* A.5.1. False: the head of the image is not there. */
static bool find_image(struct image *image)
{
    const unsigned char *at = memmem(image->data, image->n, beginning, sizeof beginning);
    size_t left = at ? image->n - (size_t) (at - image->data) : 0;

    if (left < sizeof beginning + SIZ_SIZE)
        return false;
    image->begin = image->n - left;
    at += sizeof beginning;
    image->tiles = count_along(octets_be32(at + 4), octets_be32(at + 28), octets_be32(at + 20)) *
                   count_along(octets_be32(at + 8), octets_be32(at + 32), octets_be32(at + 24));
    return image->tiles > 0;
}

/* A.4.2: whether a tile part can begin here. */
static bool is_tile(const struct image *image, size_t at)
{
    const unsigned char *d = image->data + at;

    return at + SOT_SIZE <= image->n && octets_be16(d) == SOT && octets_be16(d + 2) == 10 &&
           octets_be16(d + 4) < image->tiles &&
           (octets_be32(d + 6) == 0 || octets_be32(d + 6) > SOT_SIZE) &&
           (d[11] == 0 || d[10] < d[11]);
}

static size_t next_tile(const struct image *image, size_t at)
{
    while (at < image->n && !is_tile(image, at))
        at++;
    return at < image->n ? at : image->n;
}

static bool is_end(const struct image *image, size_t at)
{
    return at + 2 <= image->n && octets_be16(image->data + at) == EOC && at + 16 >= image->n;
}

/* Where the tile part at `at` ends, as its head says; 0: what is there is not what follows one. */
static size_t said_end(const struct image *image, size_t at)
{
    size_t length = octets_be32(image->data + at + 6);
    size_t end = length > 0 && length <= image->n - at ? at + length : 0;

    return end > 0 && (is_tile(image, end) || is_end(image, end)) ? end : 0;
}

static size_t end_of_data(const struct image *image)
{
    for (size_t back = 2; back <= 16 && back <= image->n; back++)
        if (is_end(image, image->n - back))
            return image->n - back;
    return image->n;
}

/* The boxes around the code stream stay as they are, but for the length of the last one (I.4). */
static void put_front(const struct image *image, size_t to, struct buf *out)
{
    static const char box[] = "\0\0\0\0jp2c";
    size_t begin = image->begin;

    if (begin >= 8 && memcmp(image->data + begin - 4, "jp2c", 4) == 0) {
        buf_put(out, image->data, begin - 8);
        buf_put(out, box, 8);
        buf_put(out, image->data + begin, to - begin);
    } else {
        buf_put(out, image->data, to);
    }
}

static void put_tile(const struct image *image, size_t at, size_t end, struct buf *out)
{
    uint32_t length = (uint32_t) (end - at);
    const char size[] = { (char) (length >> 24), (char) (length >> 16), (char) (length >> 8),
                          (char) length };

    buf_put(out, image->data + at, 6);
    buf_put(out, size, sizeof size);
    buf_put(out, image->data + at + 10, end - at - 10);
}

bool jpx_mend(const unsigned char *data, size_t n, struct buf *out)
{
    struct image image = { .data = data, .n = n };
    bool damaged = false;
    size_t at, last;

    if (n > UINT32_MAX || !find_image(&image))
        return false;
    at = next_tile(&image, image.begin);
    last = end_of_data(&image);
    if (at >= last)
        return false;
    put_front(&image, at, out);
    while (at < last) {
        size_t said = said_end(&image, at), end = said;
        bool open = octets_be32(data + at + 6) == 0; /* to the end of the image */

        if (!said)
            end = next_tile(&image, at + SOT_SIZE);
        if (end > last)
            end = last;
        damaged |= !said && !open;
        if (end < at + SOT_SIZE + 2)
            break;
        put_tile(&image, at, end, out);
        at = end;
    }
    buf_puts(out, "\xff\xd9");
    return damaged && !out->failed;
}
