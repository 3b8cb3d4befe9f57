#include "engine/page_text/font_shape.h"

#include <ft2build.h>
#include FT_FREETYPE_H
#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "engine/page_text/path_lines.h"

#define LETTERS 5     /* that are measured */
#define LEAST   2     /* of them, or nothing is known */
#define LEANING 0.1F  /* to the right by height: about 6 degrees; italics have 0.15 to 0.3 */
#define ALIKE   0.12F /* letters of one font lean by as much, but for so much */
#define FALLING 0.6F  /* more than that is not a letter */
/* Of the height of small letters: stems of 0.15 to 0.2 are regular, of 0.26 to 0.35 bold. */
#define HEAVY 0.24F
#define STEPS 6  /* pieces of a curve */
#define MOST  32 /* crossings of a line that are looked at */

/* Where the outline crosses a line at height y. */
struct crossing {
    float y, xs[MOST];
    int n;
};

static void cross(void *arg, fz_point from, fz_point to)
{
    struct crossing *c = arg;

    if ((from.y > c->y) != (to.y > c->y) && c->n < MOST)
        c->xs[c->n++] = from.x + (c->y - from.y) / (to.y - from.y) * (to.x - from.x);
}

/* The leftmost stem at height y: its middle and width; false: there is none. */
static bool find_stem(fz_context *ctx, const fz_path *path, float y, float *middle, float *width)
{
    struct crossing c = { .y = y };
    float first = INFINITY, second = INFINITY;

    path_lines_walk(ctx, path, STEPS, cross, &c);
    for (int i = 0; i < c.n; i++) {
        if (c.xs[i] < first) {
            second = first;
            first = c.xs[i];
        } else if (c.xs[i] < second) {
            second = c.xs[i];
        }
    }
    *middle = (first + second) / 2;
    *width = second - first;
    return isfinite(second);
}

/* Its glyph by the font's table of characters, if that is of Unicode, or else by its name. */
static int glyph_of(fz_context *ctx, fz_font *font, int letter)
{
    FT_FaceRec *face = fz_font_ft_face(ctx, font);
    char name[] = { (char) letter, '\0' };

    if (face->charmap && face->charmap->encoding == FT_ENCODING_UNICODE)
        return fz_encode_character(ctx, font, letter);
    return FT_HAS_GLYPH_NAMES(face) ? (int) FT_Get_Name_Index(face, name) : 0;
}

static fz_path *outline_of(fz_context *ctx, fz_font *font, int letter, fz_rect *bounds)
{
    int glyph = glyph_of(ctx, font, letter);
    fz_path *path = glyph > 0 ? fz_outline_glyph(ctx, font, glyph, fz_identity) : NULL;

    if (path)
        *bounds = fz_bound_path(ctx, path, NULL, fz_identity);
    return path;
}

/* Of letters that begin with an upright stem. */
static void measure_stems(fz_context *ctx, fz_font *font, struct font_shape *shape)
{
    static const char letters[] = "lHhIbkBDEFLPRK", low[] = "xzvwu";
    float leans[LETTERS], widths[LETTERS], x_height = 0;
    fz_rect bounds;
    size_t n = 0;

    if (!fz_font_ft_face(ctx, font))
        return;
    for (const char *c = low; *c && x_height <= 0; c++) {
        fz_path *path = outline_of(ctx, font, *c, &bounds);

        x_height = path ? bounds.y1 : 0;
        fz_drop_path(ctx, path);
    }
    for (const char *c = letters; *c && n < LETTERS; c++) {
        fz_path *path = outline_of(ctx, font, *c, &bounds);
        float low_x, high_x, low_width, high_width, height = path ? bounds.y1 : 0;

        if (height > 0.2F && find_stem(ctx, path, 0.3F * height, &low_x, &low_width) &&
            find_stem(ctx, path, 0.7F * height, &high_x, &high_width)) {
            leans[n] = (high_x - low_x) / (0.4F * height);
            widths[n++] = fminf(low_width, high_width);
        }
        fz_drop_path(ctx, path);
    }
    if (n < LEAST)
        return;
    qsort(leans, n, sizeof *leans, num_compare_floats);
    qsort(widths, n, sizeof *widths, num_compare_floats);
    shape->italic =
        leans[n / 2] > LEANING && leans[n / 2] < FALLING && leans[n - 1] - leans[0] < ALIKE;
    shape->bold = x_height > 0.2F && widths[n / 2] > HEAVY * x_height && widths[n / 2] < x_height;
}

struct font_shape font_shape_find(struct font_shapes *shapes, fz_context *ctx, fz_font *font)
{
    struct font_shape *shape;

    for (size_t i = 0; i < shapes->n && i < FONT_SHAPES; i++)
        if (shapes->items[i].font == font)
            return shapes->items[i];
    shape = &shapes->items[shapes->n % FONT_SHAPES];
    fz_drop_font(ctx, shape->font);
    *shape = (struct font_shape){ .font = fz_keep_font(ctx, font) };
    shapes->n++;
    /* A font that is damaged may throw: nothing is known of it. */
    fz_try(ctx) measure_stems(ctx, font, shape);
    fz_catch(ctx) shape->bold = shape->italic = false;
    return *shape;
}

void font_shape_free(struct font_shapes *shapes, fz_context *ctx)
{
    for (size_t i = 0; i < shapes->n && i < FONT_SHAPES; i++)
        fz_drop_font(ctx, shapes->items[i].font);
    *shapes = (struct font_shapes){ 0 };
}
