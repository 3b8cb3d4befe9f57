#include "mupdf/guard.h"

#include <math.h>

#include "base/effort.h"
#include "mupdf/path_effort.h"

#define OVERLAP 16   /* limit of cells that may overlap in each direction */
#define CELL    0.1F /* area of the smallest cell in square points */

/* Units of effort. */
#define READ        700.0   /* reading an operator that reaches the device */
#define READ_CLIP   2800.0  /* the clip of a form XObject, which is slow to read */
#define READ_TILE   15000.0 /* a pattern's stream, which is read for each use */
#define READ_GLYPH  60.0
#define GLYPH       150.0   /* painting a glyph that was painted before */
#define OUTLINE     15000.0 /* a glyph so large that it is filled as a path */
#define OUTLINE_PX  256     /* size from which that is so */
#define GLYPH_PIXEL 0.5
#define LAYER_PIXEL 6.0  /* a pixel of an image or a shading in the first LAYERS layers */
#define LAYERS      2    /* as many as many pages have: a scan, its mask or its background */
#define IMAGE_PIXEL 24.0 /* a pixel beyond these layers */
#define CLIP_PIXEL  4.0
#define SHADE_PIXEL 15.0
#define TILE_PIXEL  4.0
#define GROUP_PIXEL 6.0
#define KNOCKOUT    12.0 /* a pixel of a knockout group */

/* Bytes. */
#define KEPT_PATH     150
#define KEPT_TEXT     600
#define OPEN_PIXEL    6  /* colours, alpha, and a shape or mask */
#define OPEN_KNOCKOUT 16 /* the backdrop of a knockout group is kept as well */

static _Thread_local struct guard *current;
static _Thread_local fz_device wrapped; /* the device's original functions */
static _Thread_local double most_kept, most_open;
static _Thread_local bool too_long; /* a stream was cut since the run began */

/* Ends the run. The cookie alone does not: MuPDF reads patterns and glyphs without one. */
static void stop(fz_context *ctx, enum guard_end end)
{
    if (current->end == GUARD_GOES_ON)
        current->end = end;
    current->cookie->abort = 1;
    fz_throw(ctx, FZ_ERROR_ABORT, "a page asks for too much");
}

static void spend(fz_context *ctx, double units)
{
    if (current->end != GUARD_GOES_ON || !effort_spend(units))
        stop(ctx, GUARD_NO_EFFORT);
}

static void keep(fz_context *ctx, size_t bytes)
{
    if (current->kept_glyph == 0)
        return;
    current->kept += (double) bytes;
    most_kept = fmax(most_kept, current->kept);
    if (current->kept > GUARD_KEPT)
        stop(ctx, GUARD_NO_ROOM);
}

static bool paints(void)
{
    return !fz_is_empty_irect(current->box);
}

/* The pixels of `area` that are painted; 0 if nothing is. */
static double visible(fz_context *ctx, fz_device *device, fz_rect area)
{
    float zoom = current->zoom > 0 ? current->zoom : 1;
    fz_rect rect = fz_rect_from_irect(current->box);

    if (!paints())
        return 0;
    area = fz_intersect_rect(area, fz_device_current_scissor(ctx, device));
    rect = fz_intersect_rect(rect, fz_transform_rect(area, fz_scale(zoom, zoom)));
    if (fz_is_empty_rect(rect))
        return 0;
    return ((double) rect.x1 - (double) rect.x0) * ((double) rect.y1 - (double) rect.y0);
}

/* Begins a group or clip that needs this number of bytes. */
static void push(fz_context *ctx, double bytes)
{
    if (current->depth < GUARD_DEPTH)
        current->opened[current->depth] = bytes;
    if (current->depth < GUARD_DEPTH)
        current->open += bytes;
    current->depth++;
    most_open = fmax(most_open, current->open);
    if (current->open > GUARD_OPEN)
        stop(ctx, GUARD_TOO_DEEP);
}

static void pop(void)
{
    if (current->depth > 0 && --current->depth < GUARD_DEPTH)
        current->open -= current->opened[current->depth];
}

static void spend_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm)
{
    double seen = visible(ctx, device, fz_infinite_rect), units = READ;
    size_t n = 0;

    for (const fz_text_span *span = text->head; span; span = span->next) {
        double size = (double) fz_matrix_expansion(fz_concat(span->trm, ctm)) *
                      (current->zoom > 0 ? (double) current->zoom : 1);
        double pixels = size * size < seen ? size * size : seen;
        double glyph = READ_GLYPH;

        if (paints())
            glyph = GLYPH + pixels * GLYPH_PIXEL + (size >= OUTLINE_PX ? OUTLINE : 0);
        units += span->len * glyph;
        n += (size_t) span->len;
    }
    spend(ctx, units);
    keep(ctx, KEPT_TEXT + n * current->kept_glyph);
}

static bool fits(const fz_image *image)
{
    if (image && (double) image->w * image->h > current->max_pixels) {
        current->too_large = true;
        return false;
    }
    return true;
}

/* Units of `pixels` pixels of an image or a shading: `further` units each beyond the first
 * LAYERS. */
static double layer_units(double pixels, double further)
{
    double area =
        (double) (current->box.x1 - current->box.x0) * (double) (current->box.y1 - current->box.y0);
    double usual = fmin(pixels, fmax(0, LAYERS * area - current->layered));

    current->layered += pixels;
    return usual * LAYER_PIXEL + (pixels - usual) * further;
}

static bool spend_image(fz_context *ctx, fz_device *device, const fz_image *image, fz_matrix ctm)
{
    double pixels = visible(ctx, device, fz_transform_rect(fz_unit_rect, ctm));

    spend(ctx, READ + layer_units(pixels, IMAGE_PIXEL));
    keep(ctx, KEPT_PATH);
    return fits(image);
}

/* Returns the part of `box` that can be painted now, and the matrix to the pixels of the box. */
static fz_irect painted(fz_context *ctx, fz_device *device, fz_matrix *matrix)
{
    float zoom = current->zoom > 0 ? current->zoom : 1;
    fz_rect area = fz_transform_rect(fz_device_current_scissor(ctx, device), fz_scale(zoom, zoom));

    *matrix = fz_concat(*matrix, fz_scale(zoom, zoom));
    return fz_intersect_irect(current->box, fz_irect_from_rect(area));
}

/* `stroke` NULL: the path is filled. */
static void spend_path(fz_context *ctx, fz_device *device, const fz_path *path,
                       const fz_stroke_state *stroke, fz_matrix matrix)
{
    double units = READ;

    if (paints()) {
        fz_irect box = painted(ctx, device, &matrix);

        units += stroke ? path_effort_stroke(ctx, path, stroke, matrix, box)
                        : path_effort_fill(ctx, path, matrix, box);
    }
    spend(ctx, units);
}

/* NOLINTNEXTLINE(readability-function-size): the device's functions have that many parameters. */
static void fill_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                      fz_matrix ctm, fz_colorspace *space, const float *color, float alpha,
                      fz_color_params params)
{
    spend_path(ctx, device, path, NULL, ctm);
    keep(ctx, KEPT_PATH);
    if (wrapped.fill_path)
        wrapped.fill_path(ctx, device, path, even_odd, ctm, space, color, alpha, params);
}

/* NOLINTNEXTLINE(readability-function-size) */
static void stroke_path(fz_context *ctx, fz_device *device, const fz_path *path,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    spend_path(ctx, device, path, stroke, ctm);
    keep(ctx, KEPT_PATH);
    if (wrapped.stroke_path)
        wrapped.stroke_path(ctx, device, path, stroke, ctm, space, color, alpha, params);
}

static void fill_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                      fz_colorspace *space, const float *color, float alpha, fz_color_params params)
{
    spend_text(ctx, device, text, ctm);
    if (wrapped.fill_text)
        wrapped.fill_text(ctx, device, text, ctm, space, color, alpha, params);
}

/* NOLINTNEXTLINE(readability-function-size) */
static void stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    spend_text(ctx, device, text, ctm);
    if (wrapped.stroke_text)
        wrapped.stroke_text(ctx, device, text, stroke, ctm, space, color, alpha, params);
}

static void ignore_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm)
{
    spend_text(ctx, device, text, ctm);
    if (wrapped.ignore_text)
        wrapped.ignore_text(ctx, device, text, ctm);
}

static void fill_shade(fz_context *ctx, fz_device *device, fz_shade *shade, fz_matrix ctm,
                       float alpha, fz_color_params params)
{
    double pixels = visible(ctx, device, fz_infinite_rect);

    spend(ctx, READ + layer_units(pixels, SHADE_PIXEL));
    keep(ctx, KEPT_PATH);
    if (wrapped.fill_shade)
        wrapped.fill_shade(ctx, device, shade, ctm, alpha, params);
}

static void fill_image(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                       float alpha, fz_color_params params)
{
    if (spend_image(ctx, device, image, ctm) && wrapped.fill_image)
        wrapped.fill_image(ctx, device, image, ctm, alpha, params);
}

static void fill_image_mask(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                            fz_colorspace *space, const float *color, float alpha,
                            fz_color_params params)
{
    if (spend_image(ctx, device, image, ctm) && wrapped.fill_image_mask)
        wrapped.fill_image_mask(ctx, device, image, ctm, space, color, alpha, params);
}

/* MuPDF has reduced the scissor already. */
static void begin_clip(fz_context *ctx, fz_device *device, double units, bool masked)
{
    double pixels = masked ? visible(ctx, device, fz_infinite_rect) : 0;

    spend(ctx, units + pixels * CLIP_PIXEL);
    keep(ctx, KEPT_PATH);
    push(ctx, pixels * OPEN_PIXEL);
}

/* Finds whether a path is only a rectangle, which needs no mask. */
struct outline {
    int segments;
    float x, y;
    bool slanted;
};

static void move_to(fz_context *ctx, void *cls, float x, float y)
{
    struct outline *outline = cls;

    (void) ctx;
    outline->x = x;
    outline->y = y;
}

static void line_to(fz_context *ctx, void *cls, float x, float y)
{
    struct outline *outline = cls;

    outline->segments++;
    outline->slanted |= x != outline->x && y != outline->y;
    move_to(ctx, cls, x, y);
}

static void curve_to(fz_context *ctx, void *cls, float x1, float y1, float x2, float y2, float x3,
                     float y3)
{
    struct outline *outline = cls;

    (void) x1, (void) y1, (void) x2, (void) y2;
    outline->slanted = true;
    move_to(ctx, cls, x3, y3);
}

static void close_path(fz_context *ctx, void *cls)
{
    (void) ctx, (void) cls;
}

static bool is_rect(fz_context *ctx, const fz_path *path, fz_matrix ctm)
{
    static const fz_path_walker walker = {
        .moveto = move_to, .lineto = line_to, .curveto = curve_to, .closepath = close_path
    };
    struct outline outline = { 0 };

    fz_walk_path(ctx, path, &walker, &outline);
    return fz_is_rectilinear(ctm) && !outline.slanted && outline.segments <= 4;
}

static void clip_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                      fz_matrix ctm, fz_rect scissor)
{
    bool masked = paints() && !is_rect(ctx, path, ctm);

    if (masked)
        spend_path(ctx, device, path, NULL, ctm);
    begin_clip(ctx, device, paints() ? READ : READ_CLIP, masked);
    if (wrapped.clip_path)
        wrapped.clip_path(ctx, device, path, even_odd, ctm, scissor);
}

static void clip_stroke_path(fz_context *ctx, fz_device *device, const fz_path *path,
                             const fz_stroke_state *stroke, fz_matrix ctm, fz_rect scissor)
{
    spend_path(ctx, device, path, stroke, ctm);
    begin_clip(ctx, device, READ, true);
    if (wrapped.clip_stroke_path)
        wrapped.clip_stroke_path(ctx, device, path, stroke, ctm, scissor);
}

static void clip_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                      fz_rect scissor)
{
    spend_text(ctx, device, text, ctm);
    begin_clip(ctx, device, READ, true);
    if (wrapped.clip_text)
        wrapped.clip_text(ctx, device, text, ctm, scissor);
}

static void clip_stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                             const fz_stroke_state *stroke, fz_matrix ctm, fz_rect scissor)
{
    spend_text(ctx, device, text, ctm);
    begin_clip(ctx, device, READ, true);
    if (wrapped.clip_stroke_text)
        wrapped.clip_stroke_text(ctx, device, text, stroke, ctm, scissor);
}

static void clip_image_mask(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                            fz_rect scissor)
{
    begin_clip(ctx, device, READ, true);
    if (wrapped.clip_image_mask)
        wrapped.clip_image_mask(ctx, device, image, ctm, scissor);
}

static void pop_clip(fz_context *ctx, fz_device *device)
{
    pop();
    if (wrapped.pop_clip)
        wrapped.pop_clip(ctx, device);
}

static void begin_mask(fz_context *ctx, fz_device *device, fz_rect area, int luminosity,
                       fz_colorspace *space, const float *color, fz_color_params params)
{
    double pixels = visible(ctx, device, area);

    spend(ctx, READ_CLIP + pixels * GROUP_PIXEL);
    keep(ctx, KEPT_PATH);
    push(ctx, pixels * OPEN_PIXEL);
    if (wrapped.begin_mask)
        wrapped.begin_mask(ctx, device, area, luminosity, space, color, params);
}

static void begin_group(fz_context *ctx, fz_device *device, fz_rect area, fz_colorspace *space,
                        int isolated, int knockout, int blend, float alpha)
{
    double pixels = visible(ctx, device, area);

    spend(ctx, READ + pixels * (knockout ? KNOCKOUT : GROUP_PIXEL));
    keep(ctx, KEPT_PATH);
    push(ctx, pixels * (knockout ? OPEN_KNOCKOUT : OPEN_PIXEL));
    if (wrapped.begin_group)
        wrapped.begin_group(ctx, device, area, space, isolated, knockout, blend, alpha);
}

static void end_group(fz_context *ctx, fz_device *device)
{
    pop();
    if (wrapped.end_group)
        wrapped.end_group(ctx, device);
}

/* Fills `area` with the content of `view`. The cells of a pattern with too many are moved apart,
 * as far as it cannot be seen. */
static int begin_tile(fz_context *ctx, fz_device *device, fz_rect area, fz_rect view, float x,
                      float y, fz_matrix ctm, int id)
{
    float scale = fabsf(ctm.a * ctm.d - ctm.b * ctm.c), cell;
    float w = area.x1 - area.x0, h = area.y1 - area.y0;
    double pixels = visible(ctx, device, fz_transform_rect(area, ctm));

    spend(ctx, (paints() ? READ : READ_TILE) + pixels * TILE_PIXEL);
    keep(ctx, KEPT_PATH);
    push(ctx, pixels * OPEN_PIXEL);
    if (!((double) w * h < (double) GUARD_CELLS * fabsf(x * y))) {
        x = fmaxf(fabsf(x), (view.x1 - view.x0) / OVERLAP);
        y = fmaxf(fabsf(y), (view.y1 - view.y0) / OVERLAP);
        cell = x * y * scale;
        if (cell < CELL && cell > 0) {
            x *= sqrtf(CELL / cell);
            y *= sqrtf(CELL / cell);
        }
    }
    if (!wrapped.begin_tile)
        return 0;
    return wrapped.begin_tile(ctx, device, area, view, x, y, ctm, id);
}

static void end_tile(fz_context *ctx, fz_device *device)
{
    pop();
    if (wrapped.end_tile)
        wrapped.end_tile(ctx, device);
}

void guard_watch(fz_device *device, struct guard *guard)
{
    current = guard;
    too_long = false;
    wrapped = *device;
    /* What a device ignores is counted too, because reading it takes time. */
    device->fill_path = fill_path;
    device->stroke_path = stroke_path;
    device->fill_text = fill_text;
    device->stroke_text = stroke_text;
    device->ignore_text = ignore_text;
    device->fill_shade = fill_shade;
    device->fill_image = fill_image;
    device->fill_image_mask = fill_image_mask;
    device->clip_path = clip_path;
    device->clip_stroke_path = clip_stroke_path;
    device->clip_text = clip_text;
    device->clip_stroke_text = clip_stroke_text;
    device->clip_image_mask = clip_image_mask;
    device->pop_clip = pop_clip;
    device->begin_mask = begin_mask;
    device->begin_group = begin_group;
    device->end_group = end_group;
    device->begin_tile = begin_tile;
    device->end_tile = end_tile;
}

void guard_end(void)
{
    current = NULL;
}

void guard_most(double *kept, double *open)
{
    *kept = most_kept;
    *open = most_open;
}

void guard_too_long(void)
{
    too_long = true;
}

/* Sets the error for a page, counted from 0, that needs too much work; -1. */
static int fail_effort(size_t page, struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED,
                   "page %zu asks for far more work than a page of its size needs: leave it out of "
                   "\"pages\", or produce the document again",
                   page + 1);
}

int guard_check(const struct guard *guard, size_t page, struct err *err)
{
    if (guard->end == GUARD_NO_EFFORT)
        return fail_effort(page, err);
    if (guard->end == GUARD_NO_ROOM)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "page %zu draws too many things to be kept in %d MB", page + 1,
                       GUARD_KEPT >> 20);
    if (guard->end == GUARD_TOO_DEEP)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "page %zu has too many transparency groups within each other", page + 1);
    if (too_long)
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu unpacks to more than %d MB", page + 1,
                       (int) (GUARD_UNPACKED >> 20));
    if (guard->too_large)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "page %zu has a picture of more than %d million pixels", page + 1,
                       GUARD_PIXELS / 1000000);
    return 0;
}
