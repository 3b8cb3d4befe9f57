#include "image/codec/ccitt_read.h"

static void paint(const uint32_t *changes, size_t n, uint8_t *row)
{
    for (size_t i = 0; i < n; i += 2)
        for (uint32_t x = changes[i]; x < changes[i + 1]; x++)
            row[x / 8] |= (uint8_t) (0x80 >> x % 8);
}

bool ccitt_read(const uint8_t *data, size_t n, const struct ccitt_read *how, struct bitmap *out)
{
    AUTO_CCITT_LINES struct ccitt_lines *lines =
        ccitt_lines_open(data, n, how, (uint32_t) out->width);

    if (!lines || !raster_bitmap_new(out, out->width, out->height))
        return false;
    for (size_t y = 0; y < out->height; y++) {
        const uint32_t *changes;
        size_t n_changes;

        if (!ccitt_lines_next(lines, &changes, &n_changes)) {
            raster_bitmap_free(out);
            return false;
        }
        paint(changes, n_changes, out->data + y * out->stride);
    }
    return true;
}
