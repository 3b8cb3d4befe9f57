#include "image/jpeg_pixels.h"

#include <endian.h>
#include <string.h>

#define LANES 4
#define SIDE  8

/* What there is of each in brightness, and what makes the differences from it reach 128. */
#define RED        0.299F
#define GREEN      0.587F
#define BLUE       0.114F
#define BLUE_SCALE (0.5F / (1 - BLUE))
#define RED_SCALE  (0.5F / (1 - RED))

typedef float floats __attribute__((vector_size(4 * LANES)));
typedef int ints __attribute__((vector_size(4 * LANES)));

static inline uint64_t load_word(const uint8_t *from)
{
    uint64_t word;

    memcpy(&word, from, sizeof word);
    return word;
}

static inline __attribute__((always_inline)) bool is_even(const uint8_t *const *rows, unsigned side,
                                                          unsigned pixel)
{
    unsigned bytes = side * pixel;
    const uint8_t *first = rows[0];
    /* Each pixel of the first row is as the next; then, rows are as the first. */
    uint64_t differs = load_word(first + bytes - 8 - pixel) ^ load_word(first + bytes - 8);

    for (unsigned i = 0; i + 8 + pixel <= bytes; i += 8)
        differs |= load_word(first + i) ^ load_word(first + i + pixel);
    if (differs)
        return false;
    for (unsigned y = 1; y < side; y++)
        for (unsigned i = 0; i < bytes; i += 8)
            differs |= load_word(first + i) ^ load_word(rows[y] + i);
    return !differs;
}

bool jpeg_pixels_even(const uint8_t *const *rows, unsigned side, unsigned pixel)
{
    if (pixel == 1) {
        uint64_t word = load_word(rows[0]),
                 differs = word ^ rows[0][0] * UINT64_C(0x0101010101010101);

        for (unsigned y = 1; y < SIDE; y++)
            differs |= word ^ load_word(rows[y]);
        return !differs;
    }
    if (side == SIDE)
        return pixel == 3 ? is_even(rows, SIDE, 3) : is_even(rows, SIDE, 4);
    return pixel == 3 ? is_even(rows, 2 * SIDE, 3) : is_even(rows, 2 * SIDE, 4);
}

/* Four pixels: red in the lowest bits, above it green and blue. */
static inline __attribute__((always_inline)) ints load_four(const uint8_t *from, size_t pixel)
{
    uint32_t words[LANES];
    ints all;

    memcpy(&words[0], from, 4);
    memcpy(&words[1], from + pixel, 4);
    memcpy(&words[2], from + 2 * pixel, 4);
    memcpy(&words[3], from + 4 * pixel - 4, 4);
    for (int i = 0; i < LANES; i++)
        words[i] = le32toh(words[i]);
    words[3] >>= 8 * (4 - pixel); /* no byte beyond the last pixel is looked at */
    all = (ints){ (int) words[0], (int) words[1], (int) words[2], (int) words[3] };
    return all;
}

static inline floats channel(ints four, int shift)
{
    return __builtin_convertvector(four >> shift & 255, floats);
}

/* Brightness goes to `luma`, what is more of blue and red is added to these two. */
static inline __attribute__((always_inline)) ints convert(const uint8_t *from, unsigned pixel,
                                                          float *luma, floats *blue, floats *red)
{
    ints four = load_four(from, pixel);
    floats r = channel(four, 0), g = channel(four, 8), b = channel(four, 16);
    floats y = r * RED + g * GREEN + b * BLUE;

    memcpy(luma, &y, sizeof y);
    *blue += b - y;
    *red += r - y;
    return four ^ four >> 8; /* low 16 bits: what the channels differ by */
}

static inline bool has_color(ints differs)
{
    uint64_t halves[2];

    differs &= 0xffff;
    memcpy(halves, &differs, sizeof halves);
    return (halves[0] | halves[1]) != 0;
}

static inline __attribute__((always_inline)) bool full(const uint8_t *const *rows, unsigned pixel,
                                                       struct jpeg_pixels *out)
{
    ints differs = { 0 };

    for (unsigned at = 0; at < JPEG_BLOCK; at += LANES) {
        floats blue = { 0 }, red = { 0 };

        differs |= convert(rows[at / SIDE] + (size_t) (at % SIDE) * pixel, pixel, out->luma[0] + at,
                           &blue, &red);
        blue *= BLUE_SCALE;
        red *= RED_SCALE;
        memcpy(out->chroma[0] + at, &blue, sizeof blue);
        memcpy(out->chroma[1] + at, &red, sizeof red);
    }
    return has_color(differs);
}

bool jpeg_pixels_full(const uint8_t *const *rows, unsigned pixel, struct jpeg_pixels *out)
{
    return pixel == 3 ? full(rows, 3, out) : full(rows, 4, out);
}

/* Pairs beside each other, added. */
static inline floats add_pairs(floats a, floats b)
{
    return __builtin_shufflevector(a, b, 0, 2, 4, 6) + __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

static inline __attribute__((always_inline)) bool half(const uint8_t *const *rows, unsigned pixel,
                                                       struct jpeg_pixels *out)
{
    ints differs = { 0 };

    for (unsigned y = 0; y < 2 * SIDE; y += 2)
        for (unsigned block = 0; block < 2; block++) {
            floats blue[2] = { { 0 } }, red[2] = { { 0 } };
            size_t at_chroma = (size_t) y / 2 * SIDE + (size_t) block * LANES;
            size_t at = (size_t) block * SIDE * pixel;
            float *luma = out->luma[y / SIDE * 2 + block] + (size_t) (y % SIDE) * SIDE;

            for (unsigned i = 0; i < 2; i++, luma += LANES, at += (size_t) LANES * pixel) {
                differs |= convert(rows[y] + at, pixel, luma, &blue[i], &red[i]);
                differs |= convert(rows[y + 1] + at, pixel, luma + SIDE, &blue[i], &red[i]);
            }
            blue[0] = add_pairs(blue[0], blue[1]) * (BLUE_SCALE / 4);
            red[0] = add_pairs(red[0], red[1]) * (RED_SCALE / 4);
            memcpy(out->chroma[0] + at_chroma, &blue[0], sizeof *blue);
            memcpy(out->chroma[1] + at_chroma, &red[0], sizeof *red);
        }
    return has_color(differs);
}

bool jpeg_pixels_half(const uint8_t *const *rows, unsigned pixel, struct jpeg_pixels *out)
{
    return pixel == 3 ? half(rows, 3, out) : half(rows, 4, out);
}

void jpeg_pixels_gray(const uint8_t *const *rows, struct jpeg_pixels *out)
{
    for (unsigned y = 0; y < SIDE; y++) {
        float *restrict luma = out->luma[0] + (size_t) y * SIDE;
        const uint8_t *restrict row = rows[y];

        for (unsigned x = 0; x < SIDE; x++)
            luma[x] = row[x];
    }
}

void jpeg_pixels_one(const uint8_t *pixel, unsigned bytes, float out[3])
{
    if (bytes == 1) {
        out[0] = pixel[0];
        return;
    }
    out[0] = RED * pixel[0] + GREEN * pixel[1] + BLUE * pixel[2];
    out[1] = ((float) pixel[2] - out[0]) * BLUE_SCALE;
    out[2] = ((float) pixel[0] - out[0]) * RED_SCALE;
}
