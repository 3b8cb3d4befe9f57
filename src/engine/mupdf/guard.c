#include "engine/mupdf/guard.h"

#include <math.h>

#include "base/effort.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/hook_device.h"
#include "engine/mupdf/path_effort.h"

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

static struct guard *guard_of(fz_device *device)
{
    return hook_device_arg(device);
}

/* Ends the run. The cookie alone does not: MuPDF reads patterns and glyphs without one. */
static void stop(fz_context *ctx, struct guard *guard, enum guard_end end)
{
    if (guard->end == GUARD_GOES_ON)
        guard->end = end;
    guard->cookie->abort = 1;
    fz_throw(ctx, FZ_ERROR_ABORT, "a page asks for too much");
}

static void spend(fz_context *ctx, fz_device *device, double units)
{
    struct guard *guard = guard_of(device);

    if (guard->end != GUARD_GOES_ON || !effort_spend(units))
        stop(ctx, guard, GUARD_NO_EFFORT);
}

static void charge_kept(fz_context *ctx, fz_device *device, size_t bytes)
{
    struct guard *guard = guard_of(device);

    if (guard->kept_glyph == 0)
        return;
    guard->kept += (double) bytes;
    guard->most->kept = fmax(guard->most->kept, guard->kept);
    if (guard->kept > GUARD_KEPT)
        stop(ctx, guard, GUARD_NO_ROOM);
}

static bool paints(fz_device *device)
{
    return !fz_is_empty_irect(guard_of(device)->box);
}

/* The pixels of `area` that are painted; 0 if nothing is. */
static double visible(fz_context *ctx, fz_device *device, fz_rect area)
{
    struct guard *guard = guard_of(device);
    float zoom = guard->zoom > 0 ? guard->zoom : 1;
    fz_rect rect = fz_rect_from_irect(guard->box);

    if (!paints(device))
        return 0;
    area = fz_intersect_rect(area, fz_device_current_scissor(ctx, device));
    rect = fz_intersect_rect(rect, fz_transform_rect(area, fz_scale(zoom, zoom)));
    if (fz_is_empty_rect(rect))
        return 0;
    return ((double) rect.x1 - (double) rect.x0) * ((double) rect.y1 - (double) rect.y0);
}

/* Begins a group or clip that needs this number of bytes. */
static void push(fz_context *ctx, fz_device *device, double bytes)
{
    struct guard *guard = guard_of(device);

    if (guard->depth < GUARD_DEPTH)
        guard->opened[guard->depth] = bytes;
    if (guard->depth < GUARD_DEPTH)
        guard->open += bytes;
    guard->depth++;
    guard->most->open = fmax(guard->most->open, guard->open);
    if (guard->open > GUARD_OPEN)
        stop(ctx, guard, GUARD_TOO_DEEP);
}

static void pop(fz_device *device)
{
    struct guard *guard = guard_of(device);

    if (guard->depth > 0 && --guard->depth < GUARD_DEPTH)
        guard->open -= guard->opened[guard->depth];
}

static void spend_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm)
{
    struct guard *guard = guard_of(device);
    double seen = visible(ctx, device, fz_infinite_rect), units = READ;
    size_t n = 0;

    for (const fz_text_span *span = text->head; span; span = span->next) {
        double size = (double) fz_matrix_expansion(fz_concat(span->trm, ctm)) *
                      (guard->zoom > 0 ? (double) guard->zoom : 1);
        double pixels = size * size < seen ? size * size : seen;
        double glyph = READ_GLYPH;

        if (paints(device))
            glyph = GLYPH + pixels * GLYPH_PIXEL + (size >= OUTLINE_PX ? OUTLINE : 0);
        units += span->len * glyph;
        n += (size_t) span->len;
    }
    spend(ctx, device, units);
    charge_kept(ctx, device, KEPT_TEXT + n * guard->kept_glyph);
}

static bool fits(struct guard *guard, const fz_image *image)
{
    if (image && (double) image->w * image->h > guard->max_pixels) {
        guard->too_large = true;
        return false;
    }
    return true;
}

/* Units of `pixels` pixels of an image or a shading: `further` units each beyond the first
 * LAYERS. */
static double layer_units(fz_device *device, double pixels, double further)
{
    struct guard *guard = guard_of(device);
    double area =
        (double) (guard->box.x1 - guard->box.x0) * (double) (guard->box.y1 - guard->box.y0);
    double usual = fmin(pixels, fmax(0, LAYERS * area - guard->layered));

    guard->layered += pixels;
    return usual * LAYER_PIXEL + (pixels - usual) * further;
}

static bool spend_image(fz_context *ctx, fz_device *device, const fz_image *image, fz_matrix ctm)
{
    double pixels = visible(ctx, device, fz_transform_rect(fz_unit_rect, ctm));

    spend(ctx, device, READ + layer_units(device, pixels, IMAGE_PIXEL));
    charge_kept(ctx, device, KEPT_PATH);
    return fits(guard_of(device), image);
}

/* Returns the part of `box` that can be painted now, and the matrix to the pixels of the box. */
static fz_irect painted(fz_context *ctx, fz_device *device, fz_matrix *matrix)
{
    struct guard *guard = guard_of(device);
    float zoom = guard->zoom > 0 ? guard->zoom : 1;
    fz_rect area = fz_transform_rect(fz_device_current_scissor(ctx, device), fz_scale(zoom, zoom));

    *matrix = fz_concat(*matrix, fz_scale(zoom, zoom));
    return fz_intersect_irect(guard->box, fz_irect_from_rect(area));
}

/* `stroke` NULL: the path is filled. */
static void spend_path(fz_context *ctx, fz_device *device, const fz_path *path,
                       const fz_stroke_state *stroke, fz_matrix matrix)
{
    double units = READ;

    if (paints(device)) {
        fz_irect box = painted(ctx, device, &matrix);

        units += stroke ? path_effort_stroke(ctx, path, stroke, matrix, box)
                        : path_effort_fill(ctx, path, matrix, box);
    }
    spend(ctx, device, units);
}

/* NOLINTNEXTLINE(readability-function-size): the device's functions have that many parameters. */
static void fill_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                      fz_matrix ctm, fz_colorspace *space, const float *color, float alpha,
                      fz_color_params params)
{
    spend_path(ctx, device, path, NULL, ctm);
    charge_kept(ctx, device, KEPT_PATH);
    fz_fill_path(ctx, hook_device_next(device), path, even_odd, ctm, space, color, alpha, params);
}

/* NOLINTNEXTLINE(readability-function-size) */
static void stroke_path(fz_context *ctx, fz_device *device, const fz_path *path,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    spend_path(ctx, device, path, stroke, ctm);
    charge_kept(ctx, device, KEPT_PATH);
    fz_stroke_path(ctx, hook_device_next(device), path, stroke, ctm, space, color, alpha, params);
}

static void fill_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                      fz_colorspace *space, const float *color, float alpha, fz_color_params params)
{
    spend_text(ctx, device, text, ctm);
    fz_fill_text(ctx, hook_device_next(device), text, ctm, space, color, alpha, params);
}

/* NOLINTNEXTLINE(readability-function-size) */
static void stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    spend_text(ctx, device, text, ctm);
    fz_stroke_text(ctx, hook_device_next(device), text, stroke, ctm, space, color, alpha, params);
}

static void ignore_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm)
{
    spend_text(ctx, device, text, ctm);
    fz_ignore_text(ctx, hook_device_next(device), text, ctm);
}

static void fill_shade(fz_context *ctx, fz_device *device, fz_shade *shade, fz_matrix ctm,
                       float alpha, fz_color_params params)
{
    double pixels = visible(ctx, device, fz_infinite_rect);

    spend(ctx, device, READ + layer_units(device, pixels, SHADE_PIXEL));
    charge_kept(ctx, device, KEPT_PATH);
    fz_fill_shade(ctx, hook_device_next(device), shade, ctm, alpha, params);
}

static void fill_image(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                       float alpha, fz_color_params params)
{
    if (spend_image(ctx, device, image, ctm))
        fz_fill_image(ctx, hook_device_next(device), image, ctm, alpha, params);
}

static void fill_image_mask(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                            fz_colorspace *space, const float *color, float alpha,
                            fz_color_params params)
{
    if (spend_image(ctx, device, image, ctm))
        fz_fill_image_mask(ctx, hook_device_next(device), image, ctm, space, color, alpha, params);
}

/* MuPDF has reduced the scissor already. */
static void begin_clip(fz_context *ctx, fz_device *device, double units, bool masked)
{
    double pixels = masked ? visible(ctx, device, fz_infinite_rect) : 0;

    spend(ctx, device, units + pixels * CLIP_PIXEL);
    charge_kept(ctx, device, KEPT_PATH);
    push(ctx, device, pixels * OPEN_PIXEL);
}

/* Finds whether a path is only a rectangle, which needs no mask. */
struct outline {
    int segments;
    float x, y;
    bool slanted;
};

static void outline_move(fz_context *ctx, void *arg, float x, float y)
{
    struct outline *outline = arg;

    (void) ctx;
    outline->x = x;
    outline->y = y;
}

static void outline_line(fz_context *ctx, void *arg, float x, float y)
{
    struct outline *outline = arg;

    outline->segments++;
    outline->slanted |= x != outline->x && y != outline->y;
    outline_move(ctx, arg, x, y);
}

static void outline_curve(fz_context *ctx, void *arg, float x1, float y1, float x2, float y2,
                          float x3, float y3)
{
    struct outline *outline = arg;

    (void) x1, (void) y1, (void) x2, (void) y2;
    outline->slanted = true;
    outline_move(ctx, arg, x3, y3);
}

static void outline_close(fz_context *ctx, void *arg)
{
    (void) ctx, (void) arg;
}

static bool is_rect(fz_context *ctx, const fz_path *path, fz_matrix ctm)
{
    static const fz_path_walker walker = { .moveto = outline_move,
                                           .lineto = outline_line,
                                           .curveto = outline_curve,
                                           .closepath = outline_close };
    struct outline outline = { 0 };

    fz_walk_path(ctx, path, &walker, &outline);
    return fz_is_rectilinear(ctm) && !outline.slanted && outline.segments <= 4;
}

static void clip_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                      fz_matrix ctm, fz_rect scissor)
{
    bool masked = paints(device) && !is_rect(ctx, path, ctm);

    if (masked)
        spend_path(ctx, device, path, NULL, ctm);
    begin_clip(ctx, device, paints(device) ? READ : READ_CLIP, masked);
    fz_clip_path(ctx, hook_device_next(device), path, even_odd, ctm, scissor);
}

static void clip_stroke_path(fz_context *ctx, fz_device *device, const fz_path *path,
                             const fz_stroke_state *stroke, fz_matrix ctm, fz_rect scissor)
{
    spend_path(ctx, device, path, stroke, ctm);
    begin_clip(ctx, device, READ, true);
    fz_clip_stroke_path(ctx, hook_device_next(device), path, stroke, ctm, scissor);
}

static void clip_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                      fz_rect scissor)
{
    spend_text(ctx, device, text, ctm);
    begin_clip(ctx, device, READ, true);
    fz_clip_text(ctx, hook_device_next(device), text, ctm, scissor);
}

static void clip_stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                             const fz_stroke_state *stroke, fz_matrix ctm, fz_rect scissor)
{
    spend_text(ctx, device, text, ctm);
    begin_clip(ctx, device, READ, true);
    fz_clip_stroke_text(ctx, hook_device_next(device), text, stroke, ctm, scissor);
}

static void clip_image_mask(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                            fz_rect scissor)
{
    begin_clip(ctx, device, READ, true);
    fz_clip_image_mask(ctx, hook_device_next(device), image, ctm, scissor);
}

static void pop_clip(fz_context *ctx, fz_device *device)
{
    pop(device);
    fz_pop_clip(ctx, hook_device_next(device));
}

static void begin_mask(fz_context *ctx, fz_device *device, fz_rect area, int luminosity,
                       fz_colorspace *space, const float *color, fz_color_params params)
{
    double pixels = visible(ctx, device, area);

    spend(ctx, device, READ_CLIP + pixels * GROUP_PIXEL);
    charge_kept(ctx, device, KEPT_PATH);
    push(ctx, device, pixels * OPEN_PIXEL);
    fz_begin_mask(ctx, hook_device_next(device), area, luminosity, space, color, params);
}

static void begin_group(fz_context *ctx, fz_device *device, fz_rect area, fz_colorspace *space,
                        int isolated, int knockout, int blend, float alpha)
{
    double pixels = visible(ctx, device, area);

    spend(ctx, device, READ + pixels * (knockout ? KNOCKOUT : GROUP_PIXEL));
    charge_kept(ctx, device, KEPT_PATH);
    push(ctx, device, pixels * (knockout ? OPEN_KNOCKOUT : OPEN_PIXEL));
    fz_begin_group(ctx, hook_device_next(device), area, space, isolated, knockout, blend, alpha);
}

static void end_group(fz_context *ctx, fz_device *device)
{
    pop(device);
    fz_end_group(ctx, hook_device_next(device));
}

/* Fills `area` with the content of `view`. The cells of a pattern with too many are moved apart,
 * as far as it cannot be seen. */
static int begin_tile(fz_context *ctx, fz_device *device, fz_rect area, fz_rect view, float x,
                      float y, fz_matrix ctm, int id)
{
    float scale = fabsf(ctm.a * ctm.d - ctm.b * ctm.c), cell;
    float w = area.x1 - area.x0, h = area.y1 - area.y0;
    double pixels = visible(ctx, device, fz_transform_rect(area, ctm));

    spend(ctx, device, (paints(device) ? READ : READ_TILE) + pixels * TILE_PIXEL);
    charge_kept(ctx, device, KEPT_PATH);
    push(ctx, device, pixels * OPEN_PIXEL);
    if (!((double) w * h < (double) GUARD_CELLS * fabsf(x * y))) {
        x = fmaxf(fabsf(x), (view.x1 - view.x0) / OVERLAP);
        y = fmaxf(fabsf(y), (view.y1 - view.y0) / OVERLAP);
        cell = x * y * scale;
        if (cell < CELL && cell > 0) {
            x *= sqrtf(CELL / cell);
            y *= sqrtf(CELL / cell);
        }
    }
    return fz_begin_tile_id(ctx, hook_device_next(device), area, view, x, y, ctm, id);
}

static void end_tile(fz_context *ctx, fz_device *device)
{
    pop(device);
    fz_end_tile(ctx, hook_device_next(device));
}

void guard_push(fz_context *ctx, fz_device **device, struct guard *guard)
{
    fz_device *super = &hook_device_push(ctx, device, guard)->super;

    engine_own(ctx)->cut = false;
    guard->most = &engine_own(ctx)->most;
    /* What a device ignores is counted too, because reading it takes time. */
    super->fill_path = fill_path;
    super->stroke_path = stroke_path;
    super->fill_text = fill_text;
    super->stroke_text = stroke_text;
    super->ignore_text = ignore_text;
    super->fill_shade = fill_shade;
    super->fill_image = fill_image;
    super->fill_image_mask = fill_image_mask;
    super->clip_path = clip_path;
    super->clip_stroke_path = clip_stroke_path;
    super->clip_text = clip_text;
    super->clip_stroke_text = clip_stroke_text;
    super->clip_image_mask = clip_image_mask;
    super->pop_clip = pop_clip;
    super->begin_mask = begin_mask;
    super->begin_group = begin_group;
    super->end_group = end_group;
    super->begin_tile = begin_tile;
    super->end_tile = end_tile;
}

void guard_cut(fz_context *ctx)
{
    struct engine_own *own = engine_own(ctx);

    if (own)
        own->cut = true;
}

/* Sets the error for a page, counted from 0, that needs too much work; -1. */
static int fail_effort(size_t page, struct err *err)
{
    return err_set(err, ERR_LIMIT_EXCEEDED,
                   "page %zu asks for far more work than a page of its size needs: leave it out of "
                   "\"pages\", or produce the document again",
                   page + 1);
}

int guard_check(fz_context *ctx, const struct guard *guard, size_t page, struct err *err)
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
    if (engine_own(ctx)->cut)
        return err_set(
            err, ERR_LIMIT_EXCEEDED,
            "page %zu unpacks to far more than its encoded bytes stand for: leave it out of "
            "\"pages\", or produce the document again",
            page + 1);
    if (guard->too_large)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "page %zu has a picture of more than %d million pixels", page + 1,
                       GUARD_PIXELS / 1000000);
    return 0;
}
