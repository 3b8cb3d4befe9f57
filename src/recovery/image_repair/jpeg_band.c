#include "recovery/image_repair/jpeg_band.h"

#include <stdlib.h>

#define BITS_MAX 11 /* of a coefficient of 8 bit samples, and its sign (F.1.2) */
#define ZEROS    15 /* sixteen coefficients are 0 */

static unsigned read_bits(struct jpeg_bits *bits, unsigned n)
{
    unsigned value = n ? jpeg_bits_peek(bits) >> (16 - n) : 0;

    bits->at += n;
    return value;
}

/* A run of blocks, with this one (G.1.2.2). */
static void read_run(struct jpeg_band_place *place, unsigned size)
{
    place->run = (1U << size) + read_bits(&place->bits, size);
}

bool jpeg_band_first(const struct jpeg_band *band, struct jpeg_band_place *place,
                     int16_t block[JPEG_BLOCK])
{
    for (int k = band->first; place->run == 0 && k <= band->last; k++) {
        int code = jpeg_huffman_read(&place->bits, band->table);
        int size = code & 15, zeros = code >> 4;

        if (code < 0 || size + band->low > BITS_MAX)
            return false;
        if (size == 0 && zeros < ZEROS) {
            read_run(place, (unsigned) zeros);
            break;
        }
        k += zeros;
        if (k > band->last || (size == 0 && k == band->last))
            return false; /* a coefficient follows zeros always */
        if (size > 0)
            block[k] =
                (int16_t) (jpeg_bits_signed(&place->bits, (unsigned) size) * (1 << band->low));
    }
    place->run -= place->run > 0;
    return place->bits.at <= place->bits.n;
}

/* The bit of a coefficient that is not 0. */
static void refine_one(const struct jpeg_band *band, struct jpeg_bits *bits, int16_t *coefficient)
{
    int step = 1 << band->low;

    if (read_bits(bits, 1) && !(abs(*coefficient) & step))
        *coefficient = (int16_t) (*coefficient + (*coefficient < 0 ? -step : step));
}

/* Bits of coefficients up to the one after `zeros` of those that are 0. Returns which that is. */
static int refine_up_to(const struct jpeg_band *band, struct jpeg_bits *bits, int k, int zeros,
                        int16_t block[JPEG_BLOCK])
{
    for (; k <= band->last; k++) {
        if (block[k])
            refine_one(band, bits, &block[k]);
        else if (zeros-- == 0)
            break;
    }
    return k;
}

bool jpeg_band_refine(const struct jpeg_band *band, struct jpeg_band_place *place,
                      int16_t block[JPEG_BLOCK])
{
    int k = band->first;

    for (; place->run == 0 && k <= band->last; k++) {
        int code = jpeg_huffman_read(&place->bits, band->table), value = 0;
        int size = code & 15, zeros = code >> 4;

        if (code < 0 || size > 1)
            return false;
        if (size == 0 && zeros < ZEROS) {
            read_run(place, (unsigned) zeros);
            break;
        }
        if (size)
            value = (read_bits(&place->bits, 1) ? 1 : -1) * (1 << band->low);
        k = refine_up_to(band, &place->bits, k, zeros, block);
        if (k > band->last)
            return false;
        block[k] = (int16_t) value;
    }
    if (place->run > 0) {
        refine_up_to(band, &place->bits, k, JPEG_BLOCK, block);
        place->run--;
    }
    return place->bits.at <= place->bits.n;
}

void jpeg_band_coarsen(const struct jpeg_band *band, int16_t block[JPEG_BLOCK])
{
    for (int k = band->first; k <= band->last; k++) {
        int size = abs(block[k]) & ~(1 << band->low);

        block[k] = (int16_t) (block[k] < 0 ? -size : size);
    }
}

bool jpeg_band_at_end(const struct jpeg_band_place *place)
{
    const struct jpeg_bits *bits = &place->bits;

    return place->run == 0 && bits->at <= bits->n && bits->n - bits->at < 8 &&
           jpeg_bits_peek(bits) >> (16 - (bits->n - bits->at)) == (1U << (bits->n - bits->at)) - 1U;
}
