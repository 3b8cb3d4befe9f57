#include "engine/page_text/marks.h"

#include <math.h>
#include <stdlib.h>

#include "base/list.h"
#include "engine/page_text/clipped_text.h"

#define MAX_FILLS   200000
#define MAX_IMAGES  500
#define MAX_POINTS  8   /* of a line with bevelled ends, back at its start */
#define MAX_OPEN    512 /* clips and groups whose kind is remembered */
#define MAX_ROUND   40 /* points of a box with rounded corners: a corner can be of several curves */
#define RADIUS      4.6F /* points: of its corners, at most; others are drawings */
#define SIDES       3    /* times the radius: its sides, at least; a pill or a dot is a drawing */
#define BEVEL_LEAST 6    /* corners of a line with bevelled ends, at least */
#define BEVEL_WIDE  2.0F /* points: width of a line with bevelled ends, at most */
#define BEVEL_LONG  6    /* widths of it: its length, at least */

/* What an open clip or group does to the pictures within. */
enum { OPEN_PLAIN, OPEN_ALTERING };

struct device {
    fz_device super;
    struct marks *marks;
    fz_device *text;
    uint8_t open[MAX_OPEN];
    size_t n_open, n_altering;
    size_t n_masks; /* soft masks that are being defined: nothing in them is seen */
    /* The text that came last, and what is seen of it; or NULL. A text that is filled and then
     * stroked has to reach `text` as the same one both times. */
    fz_text *last, *seen;
};

/* The state of walking a path. */
struct walk {
    struct device *device;
    fz_context *ctx;
    fz_matrix ctm;
    fz_rect clip;
    fz_point at, start;
    bool curved;
    fz_rect part; /* bounds of the subpath */
    /* Points of the current subpath, and whether a curve led there; n_corners is MAX_ROUND + 1 for
     * more, which are not kept. */
    fz_point corners[MAX_ROUND];
    bool by_curve[MAX_ROUND];
    int n_corners;
    size_t first_fill; /* of it: the number of fills before it */
    float half;        /* half the line width; 0: the path is filled */
    uint32_t color;
    bool looked_at; /* nothing is drawn: whether it is a box is asked */
    size_t n_parts;
};

static void put_fill(struct walk *walk, fz_rect rect, bool stroked)
{
    struct page_content *content = walk->device->marks->content;

    rect = fz_intersect_rect(rect, walk->clip);
    if (walk->looked_at || !(rect.x1 > rect.x0 && rect.y1 > rect.y0) ||
        content->n_fills == MAX_FILLS ||
        !LIST_ROOM(content->fills, content->n_fills, content->cap_fills))
        return;
    content->fills[content->n_fills++] =
        (struct fill){ .area = { rect.x0, rect.y0, rect.x1, rect.y1 },
                       .color = walk->color,
                       .stroked = stroked,
                       .order = walk->device->marks->order };
}

static void put_art(struct marks *marks, fz_rect rect)
{
    struct page_content *content = marks->content;

    if (!(rect.x1 >= rect.x0 && rect.y1 >= rect.y0) || content->n_drawings == MAX_FILLS ||
        !LIST_ROOM(content->drawings, content->n_drawings, content->cap_drawings))
        return;
    content->drawings[content->n_drawings++] =
        (struct drawing){ { rect.x0, rect.y0, rect.x1, rect.y1 }, marks->order };
}

static bool is_box(const struct walk *walk, fz_rect *rect)
{
    const fz_point *p = walk->corners;
    bool across, down;

    if (walk->curved || walk->n_corners < 4 || walk->n_corners > 5)
        return false;
    if (walk->n_corners == 5 && (fabsf(p[4].x - p[0].x) > 0.2F || fabsf(p[4].y - p[0].y) > 0.2F))
        return false;
    across = fabsf(p[0].y - p[1].y) < 0.2F && fabsf(p[1].x - p[2].x) < 0.2F &&
             fabsf(p[2].y - p[3].y) < 0.2F && fabsf(p[3].x - p[0].x) < 0.2F;
    down = fabsf(p[0].x - p[1].x) < 0.2F && fabsf(p[1].y - p[2].y) < 0.2F &&
           fabsf(p[2].x - p[3].x) < 0.2F && fabsf(p[3].y - p[0].y) < 0.2F;
    *rect = (fz_rect){ fminf(p[0].x, p[2].x), fminf(p[0].y, p[2].y), fmaxf(p[0].x, p[2].x),
                       fmaxf(p[0].y, p[2].y) };
    return across || down;
}

static void keep_corner(struct walk *walk, fz_point at, bool by_curve)
{
    if (walk->n_corners < MAX_ROUND) {
        walk->corners[walk->n_corners] = at;
        walk->by_curve[walk->n_corners] = by_curve;
    }
    if (walk->n_corners <= MAX_ROUND)
        walk->n_corners++;
}

/* How far the point is from the nearest vertical and horizontal edge of the subpath's bounds. */
static fz_point inset_of(const struct walk *walk, fz_point at)
{
    return fz_make_point(fminf(at.x - walk->part.x0, walk->part.x1 - at.x),
                         fminf(at.y - walk->part.y0, walk->part.y1 - at.y));
}

/* Whether the subpath is a box with slightly rounded corners, as browsers draw around code and
 * fields: its lines are along its edges, and its curves near its corners. */
static bool is_rounded(const struct walk *walk)
{
    float width = walk->part.x1 - walk->part.x0, height = walk->part.y1 - walk->part.y0;
    float radius = 0;

    if (!walk->curved || walk->n_corners < 8 || walk->n_corners > MAX_ROUND)
        return false;
    for (int i = 1; i < walk->n_corners; i++) {
        fz_point from = walk->corners[i - 1], to = walk->corners[i];
        fz_point a = inset_of(walk, from), b = inset_of(walk, to);

        if (walk->by_curve[i])
            radius = fmaxf(radius, fmaxf(fmaxf(a.x, a.y), fmaxf(b.x, b.y)));
        else if (!(fabsf(from.x - to.x) < 0.2F && fmaxf(a.x, b.x) < 0.2F) &&
                 !(fabsf(from.y - to.y) < 0.2F && fmaxf(a.y, b.y) < 0.2F))
            return false;
    }
    return radius <= RADIUS && fminf(width, height) >= SIDES * radius;
}

/* The edges of a rounded box that is stroked, instead of the lines between its corners. */
static void put_edges(struct walk *walk)
{
    struct page_content *content = walk->device->marks->content;
    fz_rect r = walk->part;
    float half = walk->half;

    content->n_fills = walk->first_fill;
    put_fill(walk, (fz_rect){ r.x0, r.y0 - half, r.x1, r.y0 + half }, true);
    put_fill(walk, (fz_rect){ r.x0, r.y1 - half, r.x1, r.y1 + half }, true);
    put_fill(walk, (fz_rect){ r.x0 - half, r.y0, r.x0 + half, r.y1 }, true);
    put_fill(walk, (fz_rect){ r.x1 - half, r.y0, r.x1 + half, r.y1 }, true);
}

/* A line that is filled as a polygon of six corners or more, all at its ends, which are bevelled to
 * meet other lines: LibreOffice draws the borders of cells so. */
static bool is_bevelled(const struct walk *walk, fz_rect *rect)
{
    float width = walk->part.x1 - walk->part.x0, height = walk->part.y1 - walk->part.y0;
    float thick = fminf(width, height);

    *rect = walk->part;
    if (walk->curved || walk->n_corners < BEVEL_LEAST || walk->n_corners > MAX_POINTS ||
        thick > BEVEL_WIDE || fmaxf(width, height) < BEVEL_LONG * thick)
        return false;
    for (int i = 0; i < walk->n_corners; i++) {
        fz_point at = walk->corners[i];
        float before = width > height ? at.x - rect->x0 : at.y - rect->y0;
        float after = width > height ? rect->x1 - at.x : rect->y1 - at.y;

        if (fminf(before, after) > thick + 0.1F)
            return false;
    }
    return true;
}

/* White is visible only on something that is drawn, and is shown together with that. */
static void put_seen(const struct walk *walk, fz_rect rect)
{
    if (walk->color != 0xffffff)
        put_art(walk->device->marks, fz_intersect_rect(rect, walk->clip));
}

/* Ends a subpath: each subpath of a stroke counts on its own. */
static void end_part(struct walk *walk)
{
    fz_rect rect;

    if (walk->half > 0) {
        if (is_rounded(walk))
            put_edges(walk);
        else if (walk->curved)
            put_seen(walk, fz_expand_rect(walk->part, walk->half));
        walk->curved = false;
    } else if (walk->half == 0 && walk->n_corners > 2 &&
               (is_box(walk, &rect) || is_bevelled(walk, &rect))) {
        /* Hairlines that are drawn as boxes without height. */
        if (rect.y1 - rect.y0 < 0.1F)
            rect.y1 = rect.y0 + 0.1F;
        if (rect.x1 - rect.x0 < 0.1F)
            rect.x1 = rect.x0 + 0.1F;
        put_fill(walk, rect, false);
    } else if (walk->half == 0 && walk->n_corners > 2) {
        walk->curved = true;
    }
    walk->n_corners = 0;
}

static void walk_move(fz_context *ctx, void *arg, float x, float y)
{
    struct walk *walk = arg;

    (void) ctx;
    if (!walk->curved || walk->half > 0)
        end_part(walk);
    walk->at = walk->start = fz_transform_point(fz_make_point(x, y), walk->ctm);
    walk->part = (fz_rect){ walk->at.x, walk->at.y, walk->at.x, walk->at.y };
    walk->n_corners = 0;
    walk->first_fill = walk->device->marks->content->n_fills;
    keep_corner(walk, walk->at, false);
    walk->n_parts++;
}

static void go_to(struct walk *walk, fz_point to)
{
    fz_point from = walk->at;
    float half = walk->half;

    walk->at = to;
    walk->part = fz_include_point_in_rect(walk->part, to);
    keep_corner(walk, to, false);
    if (half == 0)
        return;
    if (fabsf(from.y - to.y) < 0.3F)
        put_fill(
            walk,
            (fz_rect){ fminf(from.x, to.x), from.y - half, fmaxf(from.x, to.x), from.y + half },
            true);
    else if (fabsf(from.x - to.x) < 0.3F)
        put_fill(
            walk,
            (fz_rect){ from.x - half, fminf(from.y, to.y), from.x + half, fmaxf(from.y, to.y) },
            true);
    else
        walk->curved = true;
}

static void walk_line(fz_context *ctx, void *arg, float x, float y)
{
    struct walk *walk = arg;

    (void) ctx;
    go_to(walk, fz_transform_point(fz_make_point(x, y), walk->ctm));
}

static void walk_curve(fz_context *ctx, void *arg, float x1, float y1, float x2, float y2, float x3,
                       float y3)
{
    struct walk *walk = arg;

    (void) ctx;
    walk->part =
        fz_include_point_in_rect(walk->part, fz_transform_point(fz_make_point(x1, y1), walk->ctm));
    walk->part =
        fz_include_point_in_rect(walk->part, fz_transform_point(fz_make_point(x2, y2), walk->ctm));
    walk->at = fz_transform_point(fz_make_point(x3, y3), walk->ctm);
    walk->part = fz_include_point_in_rect(walk->part, walk->at);
    keep_corner(walk, walk->at, true);
    walk->curved = true;
}

static void walk_close(fz_context *ctx, void *arg)
{
    struct walk *walk = arg;

    (void) ctx;
    if (walk->half > 0)
        go_to(walk, walk->start);
}

static const fz_path_walker walker = {
    .moveto = walk_move, .lineto = walk_line, .curveto = walk_curve, .closepath = walk_close
};

static uint32_t color_of(fz_context *ctx, fz_colorspace *space, const float *color)
{
    float rgb[3] = { 0, 0, 0 };
    uint32_t value = 0;

    if (space)
        fz_convert_color(ctx, space, color, fz_device_rgb(ctx), rgb, NULL, fz_default_color_params);
    for (int i = 0; i < 3; i++)
        value = value << 8 | (uint32_t) (fz_clamp(rgb[i], 0, 1) * 255 + 0.5F);
    return value;
}

/* A mark begins, which is seen. */
static bool begins_mark(struct device *device, float alpha)
{
    if (!(alpha > 0) || device->n_masks > 0)
        return false;
    device->marks->order++;
    return true;
}

static void walk_path(fz_context *ctx, struct device *device, const fz_path *path, fz_matrix ctm,
                      const fz_stroke_state *stroke, uint32_t color)
{
    struct walk walk = { .device = device,
                         .ctx = ctx,
                         .ctm = ctm,
                         .clip = fz_device_current_scissor(ctx, &device->super),
                         .color = color };

    if (stroke)
        walk.half = fmaxf(stroke->linewidth * fz_matrix_expansion(ctm) / 2, 0.1F);
    fz_walk_path(ctx, path, &walker, &walk);
    if (!walk.curved || stroke)
        end_part(&walk);
    else if (walk.n_parts == 1 && is_rounded(&walk)) {
        put_fill(&walk, walk.part, false);
        return;
    }
    if (walk.curved)
        put_seen(&walk, fz_bound_path(ctx, path, stroke, ctm));
}

/* NOLINTNEXTLINE(readability-function-size): the device's functions have that many parameters. */
static void fill_path(fz_context *ctx, fz_device *dev, const fz_path *path, int even_odd,
                      fz_matrix ctm, fz_colorspace *space, const float *color, float alpha,
                      fz_color_params params)
{
    (void) even_odd, (void) params;
    if (begins_mark((struct device *) dev, alpha))
        walk_path(ctx, (struct device *) dev, path, ctm, NULL, color_of(ctx, space, color));
}

/* NOLINTNEXTLINE(readability-function-size) */
static void stroke_path(fz_context *ctx, fz_device *dev, const fz_path *path,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    (void) params;
    if (begins_mark((struct device *) dev, alpha))
        walk_path(ctx, (struct device *) dev, path, ctm, stroke, color_of(ctx, space, color));
}

static void fill_shade(fz_context *ctx, fz_device *dev, fz_shade *shade, fz_matrix ctm, float alpha,
                       fz_color_params params)
{
    (void) params;
    if (begins_mark((struct device *) dev, alpha))
        put_art(((struct device *) dev)->marks,
                fz_intersect_rect(fz_bound_shade(ctx, shade, ctm),
                                  fz_device_current_scissor(ctx, dev)));
}

static void fill_image(fz_context *ctx, fz_device *dev, fz_image *image, fz_matrix ctm, float alpha,
                       fz_color_params params)
{
    struct device *device = (struct device *) dev;
    struct marks *marks = device->marks;
    fz_rect all = fz_transform_rect(fz_unit_rect, ctm);
    fz_rect seen = fz_intersect_rect(all, fz_device_current_scissor(ctx, dev));
    bool upright = fabsf(ctm.b) < 0.01F * fabsf(ctm.a) && fabsf(ctm.c) < 0.01F * fabsf(ctm.d) &&
                   ctm.a > 0 && ctm.d > 0;
    bool cut = seen.x0 > all.x0 + 1 || seen.y0 > all.y0 + 1 || seen.x1 < all.x1 - 1 ||
               seen.y1 < all.y1 - 1;

    (void) params;
    if (!begins_mark(device, alpha) || !(seen.x1 - seen.x0 > 2 && seen.y1 - seen.y0 > 2) ||
        marks->n_images == MAX_IMAGES ||
        !LIST_ROOM(marks->images, marks->n_images, marks->cap_images))
        return;
    marks->images[marks->n_images++] =
        (struct mark_image){ .image = fz_keep_image(ctx, image),
                             .area = { seen.x0, seen.y0, seen.x1, seen.y1 },
                             .order = marks->order,
                             .drawn = !upright || cut || alpha < 1 || device->n_altering > 0 };
}

/* Whether the only sample of an image mask is painted. */
static bool is_drawn(fz_context *ctx, fz_image *image)
{
    fz_pixmap *pixmap = fz_get_pixmap_from_image(ctx, image, NULL, NULL, NULL, NULL);
    bool drawn = fz_pixmap_samples(ctx, pixmap)[0] > 127;

    fz_drop_pixmap(ctx, pixmap);
    return drawn;
}

/* An image mask of one sample is a box: Ghostscript draws the lines of TeX documents like that. */
static void fill_image_mask(fz_context *ctx, fz_device *dev, fz_image *image, fz_matrix ctm,
                            fz_colorspace *space, const float *color, float alpha,
                            fz_color_params params)
{
    fz_rect seen = fz_intersect_rect(fz_transform_rect(fz_unit_rect, ctm),
                                     fz_device_current_scissor(ctx, dev));
    struct walk walk = { .device = (struct device *) dev,
                         .clip = seen,
                         .color = color_of(ctx, space, color) };

    (void) params;
    if (!begins_mark(walk.device, alpha))
        return;
    if (image->w != 1 || image->h != 1 || !fz_is_rectilinear(ctm))
        put_art(walk.device->marks, seen);
    else if (is_drawn(ctx, image))
        put_fill(&walk, seen, false);
}

/* What is seen of a text; NULL: nothing. */
static const fz_text *seen_of(fz_context *ctx, struct device *device, const fz_text *text,
                              fz_matrix ctm)
{
    if (device->n_masks > 0)
        return NULL;
    if (text != device->last) {
        fz_text *seen =
            clipped_text_seen(ctx, text, ctm, fz_device_current_scissor(ctx, &device->super),
                              &device->marks->clipped);

        fz_drop_text(ctx, device->last);
        fz_drop_text(ctx, device->seen);
        device->last = fz_keep_text(ctx, text);
        device->seen = seen;
    }
    return device->seen ? device->seen : text;
}

static void fill_text(fz_context *ctx, fz_device *dev, const fz_text *text, fz_matrix ctm,
                      fz_colorspace *space, const float *color, float alpha, fz_color_params params)
{
    struct device *device = (struct device *) dev;
    const fz_text *seen = seen_of(ctx, device, text, ctm);

    if (seen)
        fz_fill_text(ctx, device->text, seen, ctm, space, color, alpha, params);
}

/* NOLINTNEXTLINE(readability-function-size) */
static void stroke_text(fz_context *ctx, fz_device *dev, const fz_text *text,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    struct device *device = (struct device *) dev;
    const fz_text *seen = seen_of(ctx, device, text, ctm);

    if (seen)
        fz_stroke_text(ctx, device->text, seen, stroke, ctm, space, color, alpha, params);
}

static void drop_device(fz_context *ctx, fz_device *dev)
{
    fz_drop_text(ctx, ((struct device *) dev)->last);
    fz_drop_text(ctx, ((struct device *) dev)->seen);
}

static void open_part(fz_device *dev, bool altering)
{
    struct device *device = (struct device *) dev;

    if (device->n_open < MAX_OPEN) {
        device->open[device->n_open] = altering ? OPEN_ALTERING : OPEN_PLAIN;
        device->n_altering += altering;
    }
    device->n_open++;
}

static void close_part(fz_context *ctx, fz_device *dev)
{
    struct device *device = (struct device *) dev;

    (void) ctx;
    if (device->n_open == 0)
        return;
    device->n_open--;
    if (device->n_open < MAX_OPEN)
        device->n_altering -= device->open[device->n_open] == OPEN_ALTERING;
}

static void clip_path(fz_context *ctx, fz_device *dev, const fz_path *path, int even_odd,
                      fz_matrix ctm, fz_rect scissor)
{
    struct walk walk = {
        .device = (struct device *) dev, .ctx = ctx, .ctm = ctm, .looked_at = true
    };
    fz_rect rect;

    (void) even_odd, (void) scissor;
    fz_walk_path(ctx, path, &walker, &walk);
    open_part(dev, walk.n_parts > 1 || !is_box(&walk, &rect));
}

static void clip_stroke_path(fz_context *ctx, fz_device *dev, const fz_path *path,
                             const fz_stroke_state *stroke, fz_matrix ctm, fz_rect scissor)
{
    (void) ctx, (void) path, (void) stroke, (void) ctm, (void) scissor;
    open_part(dev, true);
}

static void clip_image_mask(fz_context *ctx, fz_device *dev, fz_image *image, fz_matrix ctm,
                            fz_rect scissor)
{
    (void) ctx, (void) image, (void) ctm, (void) scissor;
    open_part(dev, true);
}

/* From the end of its definition on a soft mask is a clip. */
static void begin_mask(fz_context *ctx, fz_device *dev, fz_rect area, int luminosity,
                       fz_colorspace *space, const float *color, fz_color_params params)
{
    (void) ctx, (void) area, (void) luminosity, (void) space, (void) color, (void) params;
    ((struct device *) dev)->n_masks++;
    open_part(dev, true);
}

static void end_mask(fz_context *ctx, fz_device *dev)
{
    struct device *device = (struct device *) dev;

    (void) ctx;
    device->n_masks -= device->n_masks > 0;
}

static void begin_group(fz_context *ctx, fz_device *dev, fz_rect area, fz_colorspace *space,
                        int isolated, int knockout, int blend, float alpha)
{
    (void) ctx, (void) area, (void) space, (void) isolated, (void) knockout;
    open_part(dev, blend != FZ_BLEND_NORMAL || alpha < 1);
}

static void clip_text(fz_context *ctx, fz_device *dev, const fz_text *text, fz_matrix ctm,
                      fz_rect scissor)
{
    (void) scissor;
    open_part(dev, true);
    fz_ignore_text(ctx, ((struct device *) dev)->text, text, ctm);
}

static void clip_stroke_text(fz_context *ctx, fz_device *dev, const fz_text *text,
                             const fz_stroke_state *stroke, fz_matrix ctm, fz_rect scissor)
{
    (void) scissor, (void) stroke;
    open_part(dev, true);
    fz_ignore_text(ctx, ((struct device *) dev)->text, text, ctm);
}

static void ignore_text(fz_context *ctx, fz_device *dev, const fz_text *text, fz_matrix ctm)
{
    struct device *device = (struct device *) dev;

    if (device->n_masks > 0)
        return;
    for (const fz_text_span *span = text->head; span; span = span->next)
        device->marks->content->n_hidden += (size_t) span->len;
    fz_ignore_text(ctx, device->text, text, ctm);
}

fz_device *marks_device(fz_context *ctx, struct marks *marks, fz_device *text)
{
    struct device *device = fz_new_derived_device(ctx, struct device);

    device->marks = marks;
    device->text = text;
    device->super.drop_device = drop_device;
    device->super.fill_path = fill_path;
    device->super.stroke_path = stroke_path;
    device->super.fill_shade = fill_shade;
    device->super.fill_image = fill_image;
    device->super.fill_image_mask = fill_image_mask;
    device->super.clip_path = clip_path;
    device->super.clip_stroke_path = clip_stroke_path;
    device->super.clip_image_mask = clip_image_mask;
    device->super.pop_clip = close_part;
    device->super.begin_mask = begin_mask;
    device->super.end_mask = end_mask;
    device->super.begin_group = begin_group;
    device->super.end_group = close_part;
    device->super.fill_text = fill_text;
    device->super.stroke_text = stroke_text;
    device->super.clip_text = clip_text;
    device->super.clip_stroke_text = clip_stroke_text;
    device->super.ignore_text = ignore_text;
    return &device->super;
}

void marks_free(struct marks *marks, fz_context *ctx)
{
    for (size_t i = 0; i < marks->n_images; i++)
        fz_drop_image(ctx, marks->images[i].image);
    free(marks->images);
    free(marks->clipped.items);
    marks->images = NULL;
    marks->clipped = (struct clipped_letters){ 0 };
}
