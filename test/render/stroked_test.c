/* stroked: outlined letters look as MuPDF draws them, and are drawn once. */
#include <string.h>

#include "render/engine.h"
#include "render/stand_ins.h"
#include "tap.h"

static fz_context *plain, *ours; /* without and with letters that are kept */
static fz_font *fonts[2];

static int glyph_of(int font, int letter)
{
    return fz_encode_character(plain, fonts[font], letter);
}

struct look {
    float size, width, x;
    int letter, dashes;
    fz_linejoin join;
};

static fz_stroke_state *stroke_of(const struct look *look)
{
    fz_stroke_state *stroke = fz_new_stroke_state_with_dash_len(plain, look->dashes);

    stroke->linewidth = look->width;
    stroke->linejoin = look->join;
    stroke->dash_len = look->dashes;
    for (int i = 0; i < look->dashes; i++)
        stroke->dash_list[i] = 1;
    return stroke;
}

/* Black on white. */
static fz_pixmap *drawn(fz_context *ctx, const struct look *look)
{
    static const float black[] = { 0 };
    fz_matrix matrix = fz_make_matrix(look->size, 0, 0, -look->size, 20 + look->x, 90);
    fz_pixmap *pixmap = fz_new_pixmap(ctx, fz_device_gray(ctx), 160, 120, NULL, 0);
    fz_stroke_state *stroke = stroke_of(look);
    fz_device *device;
    fz_text *text = fz_new_text(ctx);

    fz_clear_pixmap_with_value(ctx, pixmap, 255);
    fz_show_glyph(ctx, text, fonts[0], matrix, glyph_of(0, look->letter), look->letter, 0, 0,
                  FZ_BIDI_LTR, FZ_LANG_UNSET);
    device = fz_new_draw_device(ctx, fz_identity, pixmap);
    fz_stroke_text(ctx, device, text, stroke, fz_identity, fz_device_gray(ctx), black, 1,
                   fz_default_color_params);
    fz_close_device(ctx, device);
    fz_drop_device(ctx, device);
    fz_drop_text(ctx, text);
    fz_drop_stroke_state(plain, stroke);
    return pixmap;
}

struct distance {
    double ink, apart; /* levels of all pixels together */
};

static struct distance distance(const struct look *look)
{
    fz_pixmap *a = drawn(plain, look), *b = drawn(ours, look);
    struct distance d = { 0, 0 };

    for (int i = 0; i < a->h * a->stride; i++) {
        d.ink += 255 - a->samples[i];
        d.apart += abs(a->samples[i] - b->samples[i]);
    }
    fz_drop_pixmap(plain, a);
    fz_drop_pixmap(ours, b);
    return d;
}

static void test_look(void)
{
    static const fz_linejoin joins[] = { FZ_LINEJOIN_MITER, FZ_LINEJOIN_ROUND, FZ_LINEJOIN_BEVEL };

    for (int i = 0; i < 3; i++)
        for (int letter = 0; "AgQ8%"[letter]; letter++)
            for (int width = 1; width <= 4; width++) {
                struct look look = { .size = 12.5F * (float) width,
                                     .width = .3F * (float) width,
                                     .x = .3F * (float) letter,
                                     .letter = "AgQ8%"[letter],
                                     .join = joins[i] };
                struct distance d = distance(&look);

                if (d.ink < 2000 || d.apart > d.ink * .12) {
                    ok(0, "the letter %c, join %d, width %d: %.0f of %.0f", look.letter, i, width,
                       d.apart, d.ink);
                    return;
                }
            }
    ok(1, "outlined letters look as MuPDF draws them");
}

static void test_left(void)
{
    struct look thin = { .size = 40, .width = .1F, .letter = 'R' };
    struct look dashed = { .size = 40, .width = 1, .letter = 'R', .dashes = 2 };
    struct distance d = distance(&thin);

    ok(d.ink > 0 && d.apart == 0, "lines thinner than a fifth of a pixel are MuPDF's own");
    d = distance(&dashed);
    ok(d.ink > 0 && d.apart == 0, "and dashes");
}

static fz_glyph *rendered(const struct look *look, int font, fz_matrix *matrix)
{
    fz_stroke_state *stroke = stroke_of(look);
    fz_glyph *glyph;

    *matrix = fz_make_matrix(look->size, 0, 0, -look->size, 20 + look->x, 90);
    glyph = __wrap_fz_render_stroked_glyph(ours, fonts[font], glyph_of(font, look->letter), matrix,
                                           fz_identity, stroke, &fz_infinite_irect, 8);
    fz_drop_stroke_state(plain, stroke);
    return glyph;
}

static int same_again(const struct look *first, const struct look *second, int font)
{
    fz_matrix a, b;
    fz_glyph *one = rendered(first, 0, &a), *other = rendered(second, font, &b);
    int same = one && one == other;

    fz_drop_glyph(ours, one);
    fz_drop_glyph(ours, other);
    return same;
}

static void test_kept(void)
{
    const struct look look = { .size = 20, .width = 1, .letter = 'R', .x = 0 };
    struct look other = look;

    ok(same_again(&look, &look, 0), "a letter is drawn once");
    other.x = 3;
    ok(same_again(&look, &other, 0), "also where it stands elsewhere");
    other.x = .5F;
    ok(!same_again(&look, &other, 0), "but not between the pixels");
    other = look;
    other.width = 1.5F;
    ok(!same_again(&look, &other, 0), "nor with another line");
    other = look;
    other.join = FZ_LINEJOIN_ROUND;
    ok(!same_again(&look, &other, 0), "other corners");
    other = look;
    other.size = 21;
    ok(!same_again(&look, &other, 0), "in another size");
    other = look;
    other.letter = 'S';
    ok(!same_again(&look, &other, 0) && !same_again(&look, &look, 1),
       "for another letter or in another font");
}

static void test_place(void)
{
    const struct look look = { .size = 20, .width = 1, .letter = 'R', .x = .3F };
    fz_stroke_state *stroke = stroke_of(&look);
    fz_matrix matrix = fz_make_matrix(20, 0, 0, -20, 20.3F, 90), drawn_new, kept;

    fz_drop_glyph(plain,
                  __real_fz_render_stroked_glyph(plain, fonts[0], glyph_of(0, 'R'), &matrix,
                                                 fz_identity, stroke, &fz_infinite_irect, 8));
    fz_drop_glyph(ours, rendered(&look, 0, &drawn_new));
    fz_drop_glyph(ours, rendered(&look, 0, &kept));
    ok(matrix.e == drawn_new.e && matrix.f == drawn_new.f && matrix.e == kept.e &&
           matrix.f == kept.f,
       "it goes where MuPDF puts it, new or kept");
    fz_drop_stroke_state(plain, stroke);
}

static void test_many(void)
{
    const struct look look = { .size = 50, .width = 1, .letter = 'W' };
    struct distance before = distance(&look), after;
    fz_matrix matrix;

    for (int i = 0; i < 3000; i++) {
        struct look other = { .size = 30 + (float) i / 30, .width = 1, .letter = 'a' + i % 26 };

        fz_drop_glyph(ours, rendered(&other, i % 2, &matrix));
    }
    after = distance(&look);
    ok(before.apart == after.apart, "more letters than are kept change nothing");
}

int main(void)
{
    struct err err;

    plain = engine_context(&err);
    ours = plain ? engine_clone(&err) : NULL;
    if (!ours)
        return 1;
    fonts[0] = fz_new_base14_font(plain, "Helvetica");
    fonts[1] = fz_new_base14_font(plain, "Times-Roman");
    test_look();
    test_left();
    test_kept();
    test_place();
    test_many();
    fz_drop_font(plain, fonts[0]);
    fz_drop_font(plain, fonts[1]);
    engine_clone_free(ours);
    return done_testing();
}
