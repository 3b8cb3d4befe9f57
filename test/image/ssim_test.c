#include "image/codec/ssim.h"

#include "tap.h"

#define SIDE 64

static struct raster picture(size_t channels, unsigned noise)
{
    struct raster raster;

    raster_new(&raster, SIDE, SIDE, channels);
    for (size_t i = 0; i < SIDE * SIDE * channels; i++) {
        size_t x = i / channels % SIDE, y = i / channels / SIDE;
        unsigned value = x / 8 % 2 == y / 8 % 2 ? 40 : 200;

        raster.data[i] = (uint8_t) (value + (noise ? i * 7919 % noise : 0));
    }
    return raster;
}

int main(void)
{
    AUTO_RASTER struct raster same = picture(1, 0), little = picture(1, 10), much = picture(1, 50);
    AUTO_RASTER struct raster rgb = picture(3, 0), cmyk = picture(4, 0), two = picture(2, 0);
    AUTO_RASTER struct raster bright = { 0 }, inks = { 0 }, none = { 0 }, tiny = { 0 };

    ok(ssim_mean(&same, &same) > 0.9999, "an image is like itself");
    ok(ssim_mean(&same, &little) < 0.9999, "an image is less similar to itself with noise");
    ok(ssim_mean(&same, &much) < ssim_mean(&same, &little),
       "an image is the less similar to itself the more noise there is");
    ok(ssim_brightness(&rgb, false, &bright) && ssim_mean(&bright, &same) > 0.9999,
       "gray levels kept as RGB are as bright");
    ok(ssim_brightness(&cmyk, true, &inks) && inks.channels == 1 && inks.data[8] > inks.data[0],
       "in inverted CMYK greater values are brighter");
    ok(!ssim_brightness(&two, false, &none), "two channels have no brightness");
    raster_new(&tiny, 4, 4, 1);
    ok(ssim_mean(&tiny, &tiny) >= 1, "what is smaller than a window counts as alike");
    return done_testing();
}
