#include "recovery/image_repair/jpeg_edge.h"

/* Figure A.6: row * 8 + column, in zigzag order. */
static const unsigned char natural[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

/* The cosine of k sixteenths of pi, and half of that times sqrt(1/2) for frequency 0. */
static float cosine(int k)
{
    static const float of[9] = { 1.F,        .98078528F, .92387953F, .83146961F, .70710678F,
                                 .55557023F, .38268343F, .19509032F, 0.F };

    k &= 31;
    if (k > 16)
        k = 32 - k;
    return k > 8 ? -of[16 - k] : of[k];
}

static float weight(int frequency, int angle)
{
    return frequency ? cosine(angle) / 2 : .35355339F;
}

void jpeg_edge_add(struct jpeg_edge_sums *sums, int k, int coefficient)
{
    int row = natural[k] / 8, column = natural[k] % 8;
    float part = weight(row, row) * (float) coefficient;

    sums->top[column] += part;
    sums->bottom[column] += row % 2 ? -part : part;
}

void jpeg_edge_samples(const float sums[JPEG_EDGE], float samples[JPEG_EDGE])
{
    for (int x = 0; x < JPEG_EDGE; x++) {
        samples[x] = 0;
        for (int u = 0; u < JPEG_EDGE; u++)
            samples[x] += weight(u, (2 * x + 1) * u) * sums[u];
    }
}
