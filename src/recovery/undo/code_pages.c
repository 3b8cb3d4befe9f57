#include "recovery/undo/code_pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define POINTS 0x10000U
#define FEW    64 /* characters above 127: fewer prove nothing */
#define ODD    50 /* one odd byte in this many may be other damage */
#define LOST   0xfffdU

/* Characters of the bytes from 128 on, in each encoding; made by code_pages_tables.py. */
extern const uint16_t code_pages_tables[CODE_PAGES - 1][128];

/* The character that begins at `data`, and its length; -1: it is invalid, and one byte long. */
static int point_of(const unsigned char *data, size_t n, size_t *used)
{
    int point;

    *used = 1;
    if (data[0] < 0x80)
        return data[0];
    if ((data[0] & 0xe0) == 0xc0 && n >= 2 && (data[1] & 0xc0) == 0x80) {
        point = (data[0] & 0x1f) << 6 | (data[1] & 0x3f);
        if (point < 0x80)
            return -1;
        *used = 2;
        return point;
    }
    if ((data[0] & 0xf0) == 0xe0 && n >= 3 && (data[1] & 0xc0) == 0x80 &&
        (data[2] & 0xc0) == 0x80) {
        point = (data[0] & 0xf) << 12 | (data[1] & 0x3f) << 6 | (data[2] & 0x3f);
        if (point < 0x800)
            return -1;
        *used = 3;
        return point;
    }
    return -1;
}

/* What each character was: the byte and 1 in front of it, 0: no byte of this encoding. */
static void fill_map(uint16_t *map, unsigned page)
{
    const uint16_t *table = code_pages_tables[page ? page - 1 : 0];

    for (unsigned point = 0; point < (page ? 0x80 : 0x100); point++)
        map[point] = (uint16_t) (0x100 | point);
    for (unsigned i = 0; i < 128; i++)
        map[table[i]] = (uint16_t) (0x180 | i);
}

bool code_pages_decode(const unsigned char *data, size_t n, unsigned page, struct buf *out)
{
    AUTO_FREE uint16_t *map = calloc(POINTS, sizeof *map);
    size_t high = 0, odd = 0, used;

    if (!map || page >= CODE_PAGES)
        return false;
    fill_map(map, page);
    for (size_t at = 0; at < n; at += used) {
        int point = point_of(data + at, n - at, &used);
        unsigned byte = point < 0 ? 0 : map[point];

        if (byte) {
            high += byte >= 0x180;
            buf_putc(out, (char) byte);
            continue;
        }
        odd++;
        if (odd > (high + (n - at)) / ODD)
            return false; /* whatever follows */
        buf_put(out, data + at, used);
    }
    return high >= FEW && odd <= high / ODD && !out->failed;
}

bool code_pages_shorten(const unsigned char *data, size_t n, struct buf *out)
{
    size_t lost = 0, used;

    for (size_t at = 0; at < n; at += used) {
        int point = point_of(data + at, n - at, &used);

        if (point == LOST) {
            lost++;
            buf_putc(out, '?');
        } else {
            buf_put(out, data + at, used);
        }
    }
    return lost >= FEW && !out->failed;
}

int code_pages_byte(unsigned point)
{
    if (point < 0x100)
        return (int) point;
    for (unsigned i = 0; i < 128; i++)
        if (code_pages_tables[0][i] == point)
            return (int) (128 + i);
    return -1;
}
