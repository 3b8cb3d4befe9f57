/* Text is measured, drawn into a PDF and refused where a character has no glyph. */
#include <string.h>

#include "base/scope.h"
#include "leaks.h"
#include "stamp/draw/drawing.h"
#include "stamp/draw/layout.h"
#include "tap.h"

static void measures(struct drawing *drawing)
{
    struct layout_style style = { .size = 100 };
    struct layout_size one, two, small;
    struct err err = { 0 };
    AUTO_LAYOUT struct layout *a = layout_new(drawing, "Text", &style, &err);
    AUTO_LAYOUT struct layout *b = layout_new(drawing, "Text\nText", &style, &err);
    style.size = 10;
    style.width = 30;
    AUTO_LAYOUT struct layout *c = layout_new(drawing, "Text Text Text", &style, &err);

    layout_measure(a, &one);
    layout_measure(b, &two);
    layout_measure(c, &small);
    ok(one.n_lines == 1 && two.n_lines == 2 && two.height > 1.9 * one.height,
       "a line break makes a line");
    ok(small.n_lines == 3 && small.width <= 30, "lines that get too long are broken");
    ok(one.ink.height > 60 && one.ink.height < 90 && one.ink.y > 0 && one.baseline > 90,
       "ink is measured in points");
    ok(one.ink.x + one.ink.width <= one.width + 1, "and lies within the lines");
}

static void refuses(struct drawing *drawing)
{
    static const struct layout_style style = { .size = 10 };
    struct err err = { 0 };
    AUTO_LAYOUT struct layout *layout = layout_new(drawing, "a\xf4\x8f\xbf\xbd", &style, &err);

    ok(!layout && err.code == ERR_TEXT_NOT_ENCODABLE && strstr(err.msg, "U+10FFFD"),
       "a character without a glyph is named");
}

static void draws(struct drawing *drawing)
{
    static const struct layout_style style = { .size = 10, .bold = true, .align = LAYOUT_CENTER };
    struct drawing_box box = { 10, 10, 50, 20 };
    struct err err = { 0 };
    AUTO_BUF struct buf pdf = BUF_EMPTY;
    AUTO_LAYOUT struct layout *layout = layout_new(drawing, "one\ntwo", &style, &err);

    for (int i = 0; i < 3; i++) {
        drawing_page(drawing, 100 + i, 50);
        drawing_fill(drawing, &box, 0xffff00);
        drawing_frame(drawing, &box, 1, 0xff0000);
        drawing_clip(drawing, &box);
        layout_draw(layout, 12, 12, 0x0000ff);
        drawing_restore(drawing);
    }
    ok(drawing_n_pages(drawing) == 3 && drawing_finish(drawing, &pdf, &err) == 0,
       "a drawing ends as a PDF");
    ok(pdf.len > 500 && strncmp(buf_text(&pdf), "%PDF-", 5) == 0 &&
           memmem(pdf.data, pdf.len, "/Count 3", 8),
       "with its pages");
}

int main(void)
{
    struct err err = { 0 };
    AUTO_DRAWING struct drawing *drawing = drawing_new(&err);

    measures(drawing);
    refuses(drawing);
    ok(drawing_has_font(drawing, "Dejavu Sans") && drawing_has_font(drawing, "Sans Bold") &&
           drawing_has_font(drawing, "DejaVu Sans Bold"),
       "an installed font is known, with its styles");
    ok(!drawing_has_font(drawing, "No Such Font") && !drawing_has_font(drawing, ""),
       "and one that is not installed is not");
    draws(drawing);
    return done_testing();
}
