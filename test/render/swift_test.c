/* swift: what our ways make of pixels is what MuPDF's own make of them. */
#include <string.h>

#include "image/picture.h"
#include "render/stand_ins.h"
#include "tap.h"

static fz_context *ctx;
static uint32_t seed = 1;

/* alpha: with one, in runs of nothing, of all and of what is between. */
static fz_pixmap *pixmap_new(int colors, bool alpha, int w, int h, enum picture picture)
{
    fz_pixmap *pixmap = fz_new_pixmap(ctx, colors == 1 ? fz_device_gray(ctx) : fz_device_rgb(ctx),
                                      w, h, NULL, alpha);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            uint8_t *p = pixmap->samples + y * pixmap->stride + (ptrdiff_t) x * pixmap->n;
            unsigned part = (unsigned) (x / 9 + y) % 4;
            unsigned opacity = part == 0 ? 0 : part == 1 ? 255 : picture_random(&seed) % 256;

            for (int i = 0; i < colors; i++) {
                unsigned sample = picture_sample(picture, (uint32_t) x, (uint32_t) y, (uint32_t) i,
                                                 (uint32_t) h, &seed);

                p[i] = (uint8_t) (alpha ? sample * opacity / 255 : sample);
            }
            if (alpha)
                p[colors] = (uint8_t) opacity;
        }
    return pixmap;
}

struct distance {
    int most;
    double mean;
};

static struct distance distance(const fz_pixmap *a, const fz_pixmap *b)
{
    struct distance d = { 0, 0 };

    if (!a || !b || a->w != b->w || a->h != b->h || a->n != b->n || a->x != b->x || a->y != b->y)
        return (struct distance){ 256, 256 };
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w * a->n; x++) {
            int apart = abs(a->samples[y * a->stride + x] - b->samples[y * b->stride + x]);

            d.most = apart > d.most ? apart : d.most;
            d.mean += apart;
        }
    d.mean /= (double) a->w * a->h * a->n;
    return d;
}

/* Pixels of each row become as the one to their left, 1 to 40 of them. */
static void draw_out(fz_pixmap *pixmap)
{
    for (int y = 0; y < pixmap->h; y++) {
        uint8_t *row = pixmap->samples + y * pixmap->stride;
        int left = 0;

        for (int x = 0; x < pixmap->w; x++) {
            if (left-- > 0)
                memcpy(row + (ptrdiff_t) x * pixmap->n, row + (ptrdiff_t) (x - 1) * pixmap->n,
                       pixmap->n);
            else
                left = (int) (picture_random(&seed) % 40);
        }
    }
}

static int blended(int colors, bool to_alpha, int mode, int alpha, enum picture picture, bool runs)
{
    fz_pixmap *to = pixmap_new(colors, to_alpha, 151, 40, picture);
    fz_pixmap *from = pixmap_new(colors, true, 140, 50, picture);
    fz_pixmap *to2, *from2;
    int most;

    if (runs) {
        draw_out(to);
        draw_out(from);
    }
    to2 = fz_clone_pixmap(ctx, to);
    from2 = fz_clone_pixmap(ctx, from);
    from->x = from2->x = 5;
    from->y = from2->y = -3;
    __real_fz_blend_pixmap(ctx, to, from, alpha, mode, 1, NULL);
    __wrap_fz_blend_pixmap(ctx, to2, from2, alpha, mode, 1, NULL);
    most = distance(to, to2).most;
    fz_drop_pixmap(ctx, to);
    fz_drop_pixmap(ctx, from);
    fz_drop_pixmap(ctx, to2);
    fz_drop_pixmap(ctx, from2);
    return most;
}

static void test_blend(void)
{
    for (int mode = FZ_BLEND_NORMAL; mode <= FZ_BLEND_LUMINOSITY; mode++) {
        int most = 0;

        for (int i = 0; i < 32; i++) {
            int one = blended(i & 1 ? 3 : 1, i & 2, mode, i & 4 ? 255 : 77,
                              i & 8 ? PICTURE_NOISE : PICTURE_FLAT, i & 16);

            most = one > most ? one : most;
        }
        is_int(most, 0, "blended with %s to the same bytes", fz_blendmode_name(mode));
    }
}

static struct distance scaled(const fz_pixmap *from, float x, float y, float w, float h,
                              const fz_irect *clip)
{
    fz_pixmap *a = __real_fz_scale_pixmap_cached(ctx, from, x, y, w, h, clip, NULL, NULL);
    fz_pixmap *b = __wrap_fz_scale_pixmap_cached(ctx, from, x, y, w, h, clip, NULL, NULL);
    struct distance d = distance(a, b);

    fz_drop_pixmap(ctx, a);
    fz_drop_pixmap(ctx, b);
    return d;
}

static void test_scale(void)
{
    static const float sides[][2] = { { 100, 80 },  { -100, 80 }, { 100, -80 }, { 199, 121 },
                                      { -57, -31 }, { 201, 119 }, { 250, 40 },  { 200, 120 } };
    static const struct {
        int colors;
        bool alpha;
    } kinds[] = { { 1, false }, { 1, true }, { 3, false }, { 3, true } };
    const fz_irect clip = { 12, -10, 60, 47 };

    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        fz_pixmap *from =
            pixmap_new(kinds[kind].colors, kinds[kind].alpha, 200, 120, PICTURE_NOISE);
        struct distance worst = { 0, 0 };

        for (size_t i = 0; i < 2 * sizeof sides / sizeof *sides; i++) {
            const float *side = sides[i / 2];
            struct distance d = scaled(from, side[0] < 0 ? 70 : 3, side[1] < 0 ? 60 : 5, side[0],
                                       side[1], i % 2 ? &clip : NULL);

            worst.most = d.most > worst.most ? d.most : worst.most;
            worst.mean = d.mean > worst.mean ? d.mean : worst.mean;
        }
        ok(worst.most <= 4 && worst.mean < 0.6,
           "noise of %d colours%s comes out as MuPDF scales it: at most %d, on average %.2f apart",
           kinds[kind].colors, kinds[kind].alpha ? " with alpha" : "", worst.most, worst.mean);
        fz_drop_pixmap(ctx, from);
    }
}

/* Weights of hundreds of pixels are small numbers: their sum is still one. */
static void test_scale_flat(void)
{
    static const int sides[] = { 1, 2, 3, 7, 299, 1999, 2001, 3000 };
    int wrong = 0;

    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        fz_pixmap *from = fz_new_pixmap(ctx, fz_device_gray(ctx), 2000, 10, NULL, 0), *to;

        fz_clear_pixmap_with_value(ctx, from, 201);
        to = __wrap_fz_scale_pixmap_cached(ctx, from, 0, 0, (float) sides[i], 5, NULL, NULL, NULL);
        for (int x = 0; x < to->w * to->h; x++)
            wrong += to->samples[x] != 201;
        wrong += to->w != sides[i] || to->h != 5;
        fz_drop_pixmap(ctx, to);
        fz_drop_pixmap(ctx, from);
    }
    is_int(wrong, 0, "what is of one gray stays that gray, however much it is scaled");
}

static int enlarged(int colors, int to_colors, bool alpha, fz_matrix matrix)
{
    fz_pixmap *from = pixmap_new(colors, false, 61, 43, PICTURE_NOISE);
    fz_pixmap *to = pixmap_new(to_colors, alpha, 150, 130, PICTURE_FLAT);
    fz_pixmap *to2 = fz_clone_pixmap(ctx, to);
    const fz_irect scissor = { 3, 4, 149, 120 };
    int most;

    __real_fz_paint_image(ctx, to, &scissor, NULL, NULL, from, matrix, 255, 1, NULL);
    __wrap_fz_paint_image(ctx, to2, &scissor, NULL, NULL, from, matrix, 255, 1, NULL);
    most = distance(to, to2).most;
    fz_drop_pixmap(ctx, from);
    fz_drop_pixmap(ctx, to);
    fz_drop_pixmap(ctx, to2);
    return most;
}

static void test_enlarge(void)
{
    static const fz_matrix matrices[] = {
        { 100, 0, 0, 80, 10, 20 },     { 61.5F, 0, 0, 43.2F, 0.3F, 0.7F },
        { -100, 0, 0, 80, 120, 20 },   { 99.7F, 0, 0, -77.7F, 12.1F, 105.5F },
        { 122, 0, 0, 30, 10, 20 },     { 400, 0, 0, 400, -100, -100 },
        { 70, 20, -20, 70, 40, 20 },   { 0, 90, 90, 0, 20, 20 },
        { 115.5F, 0, 0, 86, -40, 90 },
    };
    static const struct {
        int colors, to_colors;
        bool alpha;
    } kinds[] = { { 1, 1, false }, { 1, 1, true },  { 1, 3, false },
                  { 1, 3, true },  { 3, 3, false }, { 3, 3, true } };

    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        int most = 0;

        for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
            int one =
                enlarged(kinds[kind].colors, kinds[kind].to_colors, kinds[kind].alpha, matrices[i]);

            most = one > most ? one : most;
        }
        is_int(most, 0, "%d colours enlarged onto %d%s to the same bytes", kinds[kind].colors,
               kinds[kind].to_colors, kinds[kind].alpha ? " with alpha" : "");
    }
}

int main(void)
{
    ctx = fz_new_context(NULL, NULL, FZ_STORE_DEFAULT);
    test_blend();
    test_scale();
    test_scale_flat();
    test_enlarge();
    fz_drop_context(ctx);
    return done_testing();
}
