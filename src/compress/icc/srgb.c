#include "compress/icc/srgb.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"

#define HEADER   128 /* bytes */
#define ENTRY    12  /* bytes of a row of the table of tags */
#define MAX_TAGS 100
#define STEPS    64    /* places at which curves are compared */
#define NEAR     0.003 /* of a primary's coordinate */
/* Invisible differences of L*: 1, and more for colours that are nearly black. */
#define LIGHT      1.0
#define DARK       2.5
#define DARK_BELOW 10.0

struct tag {
    const uint8_t *data; /* NULL: there is none */
    size_t n;
};

static double fixed(const uint8_t *p)
{
    return (int32_t) octets_be32(p) / 65536.0;
}

static struct tag find_tag(const uint8_t *profile, size_t n, const char *name)
{
    uint32_t count = n >= HEADER + 4 ? octets_be32(profile + HEADER) : 0;

    if (count > MAX_TAGS || HEADER + 4 + ENTRY * (size_t) count > n)
        return (struct tag){ 0 };
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *row = profile + HEADER + 4 + ENTRY * (size_t) i;
        size_t at = octets_be32(row + 4), size = octets_be32(row + 8);

        if (memcmp(row, name, 4) == 0 && at <= n && size <= n - at && size >= 12)
            return (struct tag){ profile + at, size };
    }
    return (struct tag){ 0 };
}

static bool is_near(struct tag t, const double *xyz)
{
    if (!t.data || t.n < 20 || memcmp(t.data, "XYZ ", 4) != 0)
        return false;
    for (size_t i = 0; i < 3; i++)
        if (fabs(fixed(t.data + 8 + 4 * i) - xyz[i]) > NEAR)
            return false;
    return true;
}

static double sampled(struct tag t, uint32_t count, double x)
{
    double at = x * (count - 1);
    uint32_t low = (uint32_t) at, high = low + 1 < count ? low + 1 : low;
    const uint8_t *p = t.data + 12 + 2 * (size_t) low, *q = t.data + 12 + 2 * (size_t) high;
    double a = octets_be16(p), b = octets_be16(q);

    return (a + (b - a) * (at - low)) / 65535;
}

/* A parametric curve (10.18): g a b c d e f, as far as its type has them. */
static double parametric(struct tag t, double x)
{
    static const size_t counts[] = { 1, 3, 4, 5, 7 };
    unsigned type = octets_be16(t.data + 8);
    double v[7] = { 1, 1, 0, 0, 0, 0, 0 }, base;

    if (type >= COUNT(counts) || t.n < 12 + 4 * counts[type])
        return NAN;
    for (size_t i = 0; i < counts[type]; i++)
        v[i] = fixed(t.data + 12 + 4 * i);
    base = v[1] * x + v[2];
    if (type >= 3)
        return x >= v[4] ? pow(base, v[0]) + v[5] : v[3] * x + v[6];
    return (base >= 0 ? pow(base, v[0]) : 0) + (type == 2 ? v[3] : 0);
}

static double curve(struct tag t, double x)
{
    uint32_t count;

    if (t.data && memcmp(t.data, "para", 4) == 0)
        return parametric(t, x);
    if (!t.data || memcmp(t.data, "curv", 4) != 0)
        return NAN;
    count = octets_be32(t.data + 8);
    if (count == 0)
        return x;
    if (count > (t.n - 12) / 2)
        return NAN;
    return count == 1 ? pow(x, octets_be16(t.data + 12) / 256.0) : sampled(t, count, x);
}

static double lightness(double y)
{
    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

static bool has_curve(struct tag t)
{
    for (int i = 0; i <= STEPS; i++) {
        double x = (double) i / STEPS;
        double want = lightness(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
        double off = fabs(lightness(curve(t, x)) - want);

        if (!(off <= (want < DARK_BELOW ? DARK : LIGHT))) /* nor NaN */
            return false;
    }
    return true;
}

bool srgb_is_like(const void *profile, size_t n, int channels)
{
    /* The primaries, as they are in profiles: adapted to D50. */
    static const double red[] = { 0.4361, 0.2225, 0.0139 }, green[] = { 0.3851, 0.7169, 0.0971 },
                        blue[] = { 0.1431, 0.0606, 0.7141 };
    const uint8_t *p = profile;

    if (n < HEADER + 4 || memcmp(p + 36, "acsp", 4) != 0 || find_tag(p, n, "A2B0").data ||
        find_tag(p, n, "A2B1").data)
        return false;
    if (channels == 1)
        return memcmp(p + 16, "GRAY", 4) == 0 && has_curve(find_tag(p, n, "kTRC"));
    return channels == 3 && memcmp(p + 16, "RGB ", 4) == 0 && memcmp(p + 20, "XYZ ", 4) == 0 &&
           is_near(find_tag(p, n, "rXYZ"), red) && is_near(find_tag(p, n, "gXYZ"), green) &&
           is_near(find_tag(p, n, "bXYZ"), blue) && has_curve(find_tag(p, n, "rTRC")) &&
           has_curve(find_tag(p, n, "gTRC")) && has_curve(find_tag(p, n, "bTRC"));
}
