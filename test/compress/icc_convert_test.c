#include "compress/icc/icc_convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "print_profile.h"
#include "tap.h"

static int is_near(const double *rgb, double red, double green, double blue)
{
    return fabs(rgb[0] - red) < .02 && fabs(rgb[1] - green) < .02 && fabs(rgb[2] - blue) < .02;
}

/* Bytes of the head and of the table of tags, one after another, become others. */
static int stands_damage(const uint8_t *profile, size_t n)
{
    static const double ink[] = { .5, .5, .5, .5 };
    uint8_t *copy = malloc(n);
    double rgb[3];

    if (!copy)
        return 0;
    for (size_t i = 0; i < 200; i += 5) {
        struct icc_convert *convert;

        memcpy(copy, profile, n);
        copy[i] ^= 0xff;
        convert = icc_convert_open(copy, n, 4);
        if (convert)
            icc_convert_colour(convert, ICC_PERCEPTUAL, ink, rgb);
        icc_convert_close(&convert);
    }
    free(copy);
    return 1;
}

int main(void)
{
    static const double paper[4] = { 0 }, black[4] = { 1, 1, 1, 1 }, yellow[4] = { 0, 0, 1, 0 };
    static const uint8_t inks[] = { 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 255, 0 };
    size_t n = 0;
    uint8_t *profile = print_profile(&n), pixels[9];
    struct icc_convert *convert = profile ? icc_convert_open(profile, n, 4) : NULL;
    double rgb[3], single[3];

    ok(convert != NULL, "a printer's profile of %zu bytes opens", n);
    ok(icc_convert_colour(convert, ICC_RELATIVE, paper, rgb) && is_near(rgb, 1, 1, 1),
       "no ink is white");
    ok(icc_convert_colour(convert, ICC_RELATIVE, black, rgb) && is_near(rgb, 0, 0, 0),
       "all ink is black, because the black point is compensated");
    ok(icc_convert_colour(convert, ICC_PERCEPTUAL, yellow, single) && single[0] > .9 &&
           single[1] > .9 && single[2] < .5,
       "yellow is yellow");
    ok(icc_convert_pixels(convert, ICC_PERCEPTUAL, inks, 3, pixels) && pixels[0] == 255 &&
           pixels[3] < 4 && fabs(pixels[8] / 255.0 - single[2]) < .02,
       "samples become the same colours as single colours");
    icc_convert_close(&convert);
    ok(!icc_convert_open(profile, n, 3), "a CMYK profile is refused for RGB");
    ok(!icc_convert_open(profile, n - 1, 4), "a profile that is cut short is refused");
    ok(!icc_convert_open(profile, 0, 4), "an empty profile is refused");
    ok(stands_damage(profile, n), "damage to a profile's head does no harm");
    free(profile);
    return done_testing();
}
