#include "stamp/sign/appearance.h"

#include <math.h>
#include <stdio.h>

#include "stamp/draw/layout.h"

#define BACKGROUND 0xf7f9fc
#define FRAME      0x9fb0c4
#define BAR        0x2f5d8a
#define DARK       0x14202e
#define GRAY       0x4b5a6b

/* Lengths at scale 1, in points. */
#define BAR_WIDTH 3.0
#define PADDING   7.0
#define GAP       2.5
#define CAPTION   7.0
#define NAME      12.0
#define DETAIL    8.0
#define WIDTH     212.0

#define PICTURE       54.0 /* the height of a picture above the text, where nothing limits it, */
#define PICTURE_LEAST 36.0 /* and where the box does */

#define WIDE          2.4  /* a box whose width is that many times its height is wide */
#define PICTURE_SHARE 0.42 /* of a wide box's width: what a picture before the text may take */

#define MAX_SCALE  3.0
#define MIN_SCALE  0.05
#define SHARE_WIDE 0.6 /* of a page's width that a box takes at most, */
#define SHARE_HIGH 0.4 /* and of its height */

#define LINES     5
#define LINE_TEXT 2048

struct lines {
    struct layout *layouts[LINES];
    double heights[LINES];
    uint32_t colors[LINES];
    size_t n;
    double scale, height; /* of all, with what is around them, but without a picture */
    double indent;        /* of the text, to the right of a picture's place */
};

static void lines_free(struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        layout_free(&lines->layouts[i]);
    lines->n = 0;
}
#define AUTO_LINES __attribute__((cleanup(lines_free)))

static int add_lines(struct lines *lines, struct drawing *drawing, const char *text, double size,
                     bool bold, uint32_t color, double width, struct err *err)
{
    struct layout_style style = {
        .bold = bold, .size = size * lines->scale, .width = width, .align = LAYOUT_START
    };
    struct layout_size measured;
    struct layout *layout = layout_new(drawing, text, &style, err);

    if (!layout)
        return -1;
    layout_measure(layout, &measured);
    lines->colors[lines->n] = color;
    lines->heights[lines->n] = measured.height;
    lines->layouts[lines->n++] = layout;
    lines->height += measured.height + (lines->n > 1 ? GAP * lines->scale : 0);
    return 0;
}

static int add_detail(struct lines *lines, struct drawing *drawing, const char *label,
                      const char *text, double width, struct err *err)
{
    char line[LINE_TEXT];

    if (!text || !*text)
        return 0;
    snprintf(line, sizeof line, "%s: %s", label, text);
    return add_lines(lines, drawing, line, DETAIL, false, GRAY, width, err);
}

/* Lays the lines out for a box of that width. */
static int lay_out_lines(struct lines *lines, struct drawing *drawing,
                         const struct appearance *appearance, double box_width, double scale,
                         struct err *err)
{
    double width = fmax(box_width - lines->indent - (BAR_WIDTH + 2 * PADDING) * scale, 1);

    lines_free(lines);
    lines->scale = scale;
    lines->height = 2 * PADDING * scale;
    if (add_lines(lines, drawing, "Digitally signed by", CAPTION, false, GRAY, width, err) < 0 ||
        add_lines(lines, drawing, appearance->name, NAME, true, DARK, width, err) < 0 ||
        add_detail(lines, drawing, "Date", appearance->date, width, err) < 0 ||
        add_detail(lines, drawing, "Reason", appearance->reason, width, err) < 0)
        return -1;
    return add_detail(lines, drawing, "Location", appearance->location, width, err);
}

/* How high a picture above the text is: `most` at scale 1, less if it is too wide for that. With
 * the gap below it. */
static double picture_height(const struct lines *lines, const struct appearance *appearance,
                             double box_width, double most)
{
    double width = fmax(box_width - (BAR_WIDTH + 2 * PADDING) * lines->scale, 1);

    if (appearance->ratio == 0 || lines->indent > 0)
        return 0;
    return fmin(most * lines->scale, width / appearance->ratio) + GAP * lines->scale;
}

/* The largest scale up to `largest` at which all fits. */
static int fit(struct lines *lines, struct drawing *drawing, const struct appearance *appearance,
               double width, double height, double largest, double picture, struct err *err)
{
    double scale = largest;

    while (true) {
        if (lay_out_lines(lines, drawing, appearance, width, scale, err) < 0)
            return -1;
        if (lines->height + picture_height(lines, appearance, width, picture) <= height ||
            scale < MIN_SCALE)
            return 0;
        scale *= 0.9;
    }
}

int appearance_measure(struct drawing *drawing, const struct appearance *appearance,
                       double page_width, double page_height, double *width, double *height,
                       struct err *err)
{
    AUTO_LINES struct lines lines = { 0 };
    double most = page_height * SHARE_HIGH;

    *width = ceil(fmin(WIDTH, page_width * SHARE_WIDE));
    if (fit(&lines, drawing, appearance, *width, most, fmin(1, *width / WIDTH), PICTURE, err) < 0)
        return -1;
    *height = ceil(fmin(lines.height + picture_height(&lines, appearance, *width, PICTURE), most));
    return 0;
}

/* The width of the text's indent if the picture is to stand before it, which gives it more room in
 * a wide box than above it; else 0. */
static double indent_of(const struct appearance *appearance, double width, double height)
{
    return appearance->ratio > 0 && width >= WIDE * height &&
                   appearance->ratio < 1.2 * width / height
               ? PICTURE_SHARE * width
               : 0;
}

/* The picture as large as it can be in what the text leaves, in the middle of it. */
static void place_picture(const struct lines *lines, const struct appearance *appearance,
                          double width, double height, struct drawing_box *picture)
{
    double padding = PADDING * lines->scale, left = BAR_WIDTH * lines->scale + padding;
    double across = lines->indent > 0 ? lines->indent - padding : width - left - padding;
    double down =
        lines->indent > 0 ? height - 2 * padding : height - lines->height - GAP * lines->scale;

    across = fmax(across, 1);
    down = fmax(down, 1);
    picture->width = fmin(across, down * appearance->ratio);
    picture->height = picture->width / appearance->ratio;
    picture->x = left + (lines->indent > 0 ? (across - picture->width) / 2 : 0);
    picture->y = padding + (down - picture->height) / 2;
}

int appearance_draw(struct drawing *drawing, const struct appearance *appearance, double width,
                    double height, struct drawing_box *picture, struct err *err)
{
    AUTO_LINES struct lines lines = { .indent = indent_of(appearance, width, height) };
    struct drawing_box box = { 0, 0, width, height };

    drawing_page(drawing, width, height);
    if (fit(&lines, drawing, appearance, width, height, fmin(MAX_SCALE, fmax(width / WIDTH, 0.1)),
            PICTURE_LEAST, err) < 0)
        return -1;
    struct drawing_box bar = { 0, 0, BAR_WIDTH * lines.scale, height };
    drawing_fill(drawing, &box, BACKGROUND);
    drawing_frame(drawing, &box, fmin(0.75 * lines.scale, height / 4), FRAME);
    drawing_fill(drawing, &bar, BAR);
    drawing_clip(drawing, &box);
    double y = (height - lines.height) / 2 + PADDING * lines.scale;
    if (appearance->ratio > 0) {
        place_picture(&lines, appearance, width, height, picture);
        if (lines.indent == 0)
            y = height - lines.height + PADDING * lines.scale;
    }
    for (size_t i = 0; i < lines.n; i++) {
        layout_draw(lines.layouts[i], lines.indent + (BAR_WIDTH + PADDING) * lines.scale, y,
                    lines.colors[i]);
        y += lines.heights[i] + GAP * lines.scale;
    }
    drawing_restore(drawing);
    return 0;
}
