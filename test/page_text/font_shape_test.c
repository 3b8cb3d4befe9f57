/* Fonts whose letters lean or are heavy, judged by the built-in ones, of which that is known. */
#include "engine/page_text/font_shape.h"

#include <ft2build.h>
#include FT_FREETYPE_H

#include "tap.h"

static const struct {
    const char *name;
    bool bold, italic;
} fonts[] = {
    { "Helvetica", false, false },        { "Helvetica-Bold", true, false },
    { "Helvetica-Oblique", false, true }, { "Times-Roman", false, false },
    { "Times-Bold", true, false },        { "Times-Italic", false, true },
    { "Times-BoldItalic", true, true },   { "Courier", false, false },
    { "Courier-Oblique", false, true },
};

/* `named`: its characters are known by the names of their glyphs alone. */
static void knows(fz_context *ctx, struct font_shapes *shapes, size_t i, bool named)
{
    fz_font *font = fz_new_base14_font(ctx, fonts[i].name);
    struct font_shape shape;

    if (named)
        ok(FT_Select_Charmap(fz_font_ft_face(ctx, font), FT_ENCODING_ADOBE_CUSTOM) == 0 ||
               FT_Select_Charmap(fz_font_ft_face(ctx, font), FT_ENCODING_ADOBE_STANDARD) == 0,
           "%s has a table of its own", fonts[i].name);
    shape = font_shape_find(shapes, ctx, font);
    is_int(shape.bold, fonts[i].bold, "%s is%s bold", fonts[i].name, fonts[i].bold ? "" : " not");
    is_int(shape.italic, fonts[i].italic, "%s does%s lean", fonts[i].name,
           fonts[i].italic ? "" : " not");
    fz_drop_font(ctx, font);
}

int main(void)
{
    fz_context *ctx = fz_new_context(NULL, NULL, FZ_STORE_DEFAULT);
    struct font_shapes shapes = { 0 };

    if (!ctx)
        return 1;
    for (size_t i = 0; i < sizeof fonts / sizeof *fonts; i++)
        knows(ctx, &shapes, i, false);
    font_shape_free(&shapes, ctx);
    fz_drop_context(ctx);
    ctx = fz_new_context(NULL, NULL, FZ_STORE_DEFAULT);
    if (!ctx)
        return 1;
    for (size_t i = 0; i < sizeof fonts / sizeof *fonts; i++)
        knows(ctx, &shapes, i, true);
    font_shape_free(&shapes, ctx);
    fz_drop_context(ctx);
    return done_testing();
}
