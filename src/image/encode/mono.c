#include "image/encode/mono.h"

#include <stdlib.h>
#include <string.h>

struct mono {
    uint32_t width;
    /* Errors in sixteenths of a level: those that pixels of this row got from the row above, and
     * those that the next row gets from this one; one more entry on each side. */
    int *here, *below;
};

struct mono *mono_new(uint32_t width, struct err *err)
{
    struct mono *mono = calloc(1, sizeof *mono);

    if (mono) {
        mono->width = width;
        mono->here = calloc((size_t) width + 2, sizeof *mono->here);
        mono->below = calloc((size_t) width + 2, sizeof *mono->below);
    }
    if (!mono || !mono->here || !mono->below) {
        mono_free(mono);
        err_set(err, ERR_INTERNAL, "out of memory");
        return NULL;
    }
    return mono;
}

void mono_free(struct mono *mono)
{
    if (!mono)
        return;
    free(mono->here);
    free(mono->below);
    free(mono);
}

static int luma(const uint8_t *pixel, enum pixmap_kind kind)
{
    if (kind < PIXMAP_RGB)
        return pixel[0];
    /* The weights sum to 2^16: white becomes 255, and gray stays the same. */
    return (int) ((pixel[0] * 19595U + pixel[1] * 38470U + pixel[2] * 7471U + 32768U) >> 16);
}

void mono_row(struct mono *mono, const struct pixmap *pixmap, uint32_t y, uint8_t *out)
{
    const uint8_t *pixel = pixmap->samples + y * pixmap->stride;
    int *here = mono->here + 1, *below = mono->below + 1, right = 0;

    memset(out, 0, (mono->width + 7) / 8);
    for (uint32_t x = 0; x < mono->width; x++, pixel += pixmap->kind) {
        int level = luma(pixel, pixmap->kind), want, error;
        bool white;

        if (level == 0 || level == 255) {
            out[x / 8] = (uint8_t) (out[x / 8] | (level != 0) << (7 - x % 8));
            right = 0;
            continue;
        }
        want = 16 * level + here[x] + right;
        white = want >= 16 * 128;
        out[x / 8] = (uint8_t) (out[x / 8] | white << (7 - x % 8));
        error = want - (white ? 16 * 255 : 0);
        right = error * 7 / 16;
        below[(int64_t) x - 1] += error * 3 / 16;
        below[x] += error * 5 / 16;
        below[x + 1] += error / 16;
    }
    memset(mono->here, 0, ((size_t) mono->width + 2) * sizeof *mono->here);
    mono->here = mono->below;
    mono->below = here - 1;
}
