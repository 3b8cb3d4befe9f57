#include "image/codec/jbig2_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "image/codec/arith.h"

/* context of the bit that says that a line equals the one above (6.2.5.7) */
#define SAME_LINE 0x9b25
#define CONTEXTS  65536
#define MARGIN    4 /* pixels outside a line that contexts use: they are white */
#define WORD      8 /* pixels that are tested together */

/* 7.2: number, type, the page it belongs to, length. */
static void put_header(struct buf *out, unsigned number, unsigned type, size_t length)
{
    buf_put_be32(out, number);
    buf_putc(out, (char) type);
    buf_putc(out, 0);
    buf_putc(out, 1);
    buf_put_be32(out, length);
}

static void unpack_line(const struct bitmap *bitmap, size_t y, uint8_t *line)
{
    const uint8_t *row = bitmap->data + y * bitmap->stride;

    for (size_t x = 0; x < bitmap->width; x++)
        line[x] = row[x / 8] >> (7 - x % 8) & 1;
}

static bool is_white(const uint8_t *pixels)
{
    uint64_t word;

    memcpy(&word, pixels, sizeof word);
    return word == 0;
}

/* Figure 3 with the adaptive pixels at their nominal positions: four pixels before, seven of the
 * line above, five of the one above that. */
static void put_pixels(struct arith *coder, arith_cx *contexts, const uint8_t *line,
                       const uint8_t *above, const uint8_t *above2, size_t width)
{
    uint32_t c0 = 0;
    uint32_t c1 = (uint32_t) (above[0] << 2 | above[1] << 1 | above[2]);
    uint32_t c2 = (uint32_t) (above2[0] << 1 | above2[1]);

    for (size_t x = 0; x < width; x++) {
        /* All white: most of a page is. */
        if ((c0 | c1 | c2) == 0 && x + WORD <= width && is_white(line + x) &&
            is_white(above + x + 3) && is_white(above2 + x + 2)) {
            arith_put_same(coder, &contexts[0], 0, WORD);
            x += WORD - 1;
            continue;
        }
        c1 = (c1 << 1 | above[x + 3]) & 0x7f;
        c2 = (c2 << 1 | above2[x + 2]) & 0x1f;
        arith_put(coder, &contexts[c0 | c1 << 4 | c2 << 11], line[x]);
        c0 = (c0 << 1 | line[x]) & 0xf;
    }
}

static bool put_region(const struct bitmap *bitmap, struct buf *out)
{
    size_t room = bitmap->width + (size_t) 2 * MARGIN;
    AUTO_FREE uint8_t *lines = calloc(room, 3);
    AUTO_FREE arith_cx *contexts = calloc(CONTEXTS, sizeof *contexts);
    uint8_t *line, *above, *above2;
    struct arith coder;
    bool was_same = false;

    if (!lines || !contexts)
        return false;
    line = lines + MARGIN;
    above = line + room;
    above2 = above + room;
    arith_begin(&coder, out);
    for (size_t y = 0; y < bitmap->height; y++) {
        const uint8_t *row = bitmap->data + y * bitmap->stride;
        uint8_t *oldest = above2;
        bool same;

        above2 = above;
        above = line;
        line = oldest;
        unpack_line(bitmap, y, line);
        same = y > 0 ? memcmp(row, row - bitmap->stride, bitmap->stride) == 0
                     : memchr(line, 1, bitmap->width) == NULL;
        arith_put(&coder, &contexts[SAME_LINE], same != was_same);
        was_same = same;
        if (!same)
            put_pixels(&coder, contexts, line, above, above2, bitmap->width);
    }
    arith_end(&coder);
    return true;
}

bool jbig2_write(const struct bitmap *bitmap, struct buf *out)
{
    static const signed char nominal[] = { 3, -1, -3, -1, 2, -2, -2, -2 };
    AUTO_BUF struct buf region = BUF_EMPTY;

    if (!put_region(bitmap, &region) || region.failed)
        return false;
    put_header(out, 0, 48, 19); /* page information (7.4.8) */
    buf_put_be32(out, bitmap->width);
    buf_put_be32(out, bitmap->height);
    buf_put_be32(out, 0);
    buf_put_be32(out, 0);
    buf_put(out, "\1\0\0", 3);
    put_header(out, 1, 38, 26 + region.len); /* immediate lossless generic region (7.4.6) */
    buf_put_be32(out, bitmap->width);
    buf_put_be32(out, bitmap->height);
    buf_put_be32(out, 0);
    buf_put_be32(out, 0);
    buf_put(out, "\0\10", 2); /* template 0, with TPGDON */
    buf_put(out, nominal, sizeof nominal);
    buf_put(out, region.data, region.len);
    return !out->failed;
}
