/* filled: shapes come out as MuPDF fills them, to the byte. */
#include <string.h>

#include "image/picture.h"
#include "render/engine.h"
#include "tap.h"

#define SIDE 120

static fz_context *plain, *ours; /* MuPDF's own way, and ours */
static uint32_t seed = 1;

enum kind { GRAY, GRAY_ALPHA, RGB, RGB_ALPHA, CLIPPED };

static bool is_gray(enum kind kind)
{
    return kind == GRAY || kind == GRAY_ALPHA;
}

static bool has_alpha(enum kind kind)
{
    return kind == GRAY_ALPHA || kind == RGB_ALPHA;
}

struct shape {
    enum kind kind;
    bool even_odd, stroke;
    float alpha;
    fz_irect box; /* of the pixmap */
    int aa;
    void (*outline)(fz_path *path);
};

static float chance(float from, float to)
{
    return from + (to - from) * (float) (picture_random(&seed) % 4096) / 4096;
}

static void tangle(fz_path *path)
{
    int n = 3 + (int) (picture_random(&seed) % 40);

    fz_moveto(plain, path, chance(-20, SIDE + 20), chance(-20, SIDE + 20));
    for (int i = 0; i < n; i++)
        fz_lineto(plain, path, chance(-20, SIDE + 20), chance(-20, SIDE + 20));
    fz_closepath(plain, path);
}

/* Short lines, of which several begin and end in one row. */
static void scribble(fz_path *path)
{
    float x = chance(0, SIDE), y = chance(0, SIDE);

    fz_moveto(plain, path, x, y);
    for (int i = 0; i < 60; i++) {
        x += chance(-4, 4);
        y += chance(-4, 4);
        fz_lineto(plain, path, x, y);
    }
}

/* Edges that lie on each other, or nearly so. */
static void slivers(fz_path *path)
{
    for (int i = 0; i < 12; i++) {
        float x = chance(0, SIDE), y = chance(0, 30), lean = chance(-9, 9);

        fz_moveto(plain, path, x, y);
        fz_lineto(plain, path, x + lean, y + 80);
        fz_lineto(plain, path, x + lean + chance(0, .2F), y + 80);
        fz_lineto(plain, path, x + chance(0, .2F), y);
        fz_closepath(plain, path);
        fz_moveto(plain, path, x, y);
        fz_lineto(plain, path, x + lean, y + 80);
        fz_lineto(plain, path, x + lean + 9, y + 70);
        fz_closepath(plain, path);
    }
}

/* Many that begin and end on the same lines, the rightmost first, and change places on the way. */
static void sheaf(fz_path *path)
{
    for (int i = 0; i < 120; i++) {
        float from = chance(0, SIDE), to = chance(0, SIDE);

        fz_moveto(plain, path, SIDE - (float) i, 10);
        fz_lineto(plain, path, to, 90);
        fz_lineto(plain, path, to + 1, 90);
        fz_lineto(plain, path, i % 7 ? SIDE - (float) i + 1 : from, 10);
        fz_closepath(plain, path);
    }
}

static void boxes(fz_path *path)
{
    for (int i = 0; i < 5; i++)
        fz_rectto(plain, path, chance(-20, SIDE), chance(-20, SIDE), chance(0, SIDE + 20),
                  chance(0, SIDE + 20));
}

static void curves(fz_path *path)
{
    for (int i = 0; i < 3; i++) {
        fz_moveto(plain, path, chance(0, SIDE), chance(0, SIDE));
        for (int k = 0; k < 4; k++)
            fz_curveto(plain, path, chance(-30, SIDE + 30), chance(-30, SIDE + 30),
                       chance(-30, SIDE + 30), chance(-30, SIDE + 30), chance(0, SIDE),
                       chance(0, SIDE));
    }
}

static void fill(fz_context *ctx, fz_device *device, const struct shape *shape, fz_path *path)
{
    static const float color[] = { .2F, .7F, .4F };
    fz_colorspace *space = is_gray(shape->kind) ? fz_device_gray(ctx) : fz_device_rgb(ctx);
    fz_stroke_state *stroke = fz_new_stroke_state(ctx);

    stroke->linewidth = 2.3F;
    stroke->linejoin = FZ_LINEJOIN_ROUND;
    if (shape->kind == CLIPPED) {
        fz_clip_path(ctx, device, path, shape->even_odd, fz_identity, fz_infinite_rect);
        fz_clip_path(ctx, device, path, !shape->even_odd, fz_translate(7.3F, -4), fz_infinite_rect);
    }
    if (shape->stroke)
        fz_stroke_path(ctx, device, path, stroke, fz_identity, space, color, shape->alpha,
                       fz_default_color_params);
    else
        fz_fill_path(ctx, device, path, shape->even_odd, fz_translate(.3F, .6F), space, color,
                     shape->alpha, fz_default_color_params);
    if (shape->kind == CLIPPED) {
        fz_pop_clip(ctx, device);
        fz_pop_clip(ctx, device);
    }
    fz_drop_stroke_state(ctx, stroke);
}

static fz_pixmap *drawn(fz_context *ctx, const struct shape *shape, fz_path *path)
{
    fz_colorspace *space = is_gray(shape->kind) ? fz_device_gray(ctx) : fz_device_rgb(ctx);
    fz_pixmap *pixmap =
        fz_new_pixmap_with_bbox(ctx, space, shape->box, NULL, has_alpha(shape->kind));
    fz_device *device;

    for (int i = 0; i < pixmap->h * pixmap->stride; i++)
        pixmap->samples[i] = (uint8_t) (i * 7);
    fz_set_aa_level(ctx, shape->aa);
    device = fz_new_draw_device(ctx, fz_identity, pixmap);
    fill(ctx, device, shape, path);
    fz_close_device(ctx, device);
    fz_drop_device(ctx, device);
    return pixmap;
}

/* Bytes that differ, of those that were painted; -1: none was. */
static int wrong(const struct shape *shape)
{
    fz_path *path = fz_new_path(plain);
    fz_pixmap *a, *b;
    int differ = 0, painted = 0;

    shape->outline(path);
    a = drawn(plain, shape, path);
    b = drawn(ours, shape, path);
    for (int i = 0; i < a->h * a->stride; i++) {
        differ += a->samples[i] != b->samples[i];
        painted += a->samples[i] != (uint8_t) (i * 7);
    }
    fz_drop_pixmap(plain, a);
    fz_drop_pixmap(ours, b);
    fz_drop_path(plain, path);
    return painted ? differ : -1;
}

static void test_shape(struct shape shape, const char *what)
{
    int differ = 0, empty = 0;

    for (int i = 0; i < 40; i++) {
        int one;

        shape.kind = (enum kind)(i % 5);
        shape.even_odd = i & 4;
        shape.alpha = i & 8 ? 1 : .6F;
        shape.box = i & 16 ? (fz_irect){ 0, 0, SIDE, SIDE } : (fz_irect){ -15, -9, 70, 90 };
        one = wrong(&shape);
        differ += one > 0;
        empty += one < 0;
    }
    ok(differ == 0 && empty < 30, "%s: the same bytes (%d differ, %d are empty)", what, differ,
       empty);
}

int main(void)
{
    struct err err;

    plain = engine_context(&err);
    ours = plain ? engine_clone(&err) : NULL;
    if (!ours)
        return 1;
    test_shape((struct shape){ .aa = 8, .outline = tangle }, "large shapes that cross themselves");
    test_shape((struct shape){ .aa = 8, .outline = scribble }, "small shapes");
    test_shape((struct shape){ .aa = 8, .outline = slivers }, "slivers");
    test_shape((struct shape){ .aa = 8, .outline = sheaf }, "a sheaf");
    test_shape((struct shape){ .aa = 8, .outline = boxes }, "rectangles");
    test_shape((struct shape){ .aa = 8, .outline = curves }, "curves");
    test_shape((struct shape){ .aa = 8, .stroke = true, .outline = tangle }, "long lines");
    test_shape((struct shape){ .aa = 8, .stroke = true, .outline = scribble }, "short lines");
    test_shape((struct shape){ .aa = 8, .stroke = true, .outline = curves }, "round lines");
    test_shape((struct shape){ .aa = 4, .outline = tangle }, "with four bits");
    test_shape((struct shape){ .aa = 0, .outline = tangle }, "with sharp edges");
    engine_clone_free(ours);
    return done_testing();
}
