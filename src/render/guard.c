#include "render/guard.h"

#include <math.h>

#define OVERLAP 16   /* cells that may lie over each other, each way */
#define CLIP    4    /* steps: forms have one each, and are slow */
#define CELL    0.1F /* square points of the smallest cell */

static _Thread_local struct guard *current;
static _Thread_local fz_device wrapped; /* its own functions */
static _Thread_local bool too_long;     /* of what is run, since it was begun */

/* False: nothing more is drawn. */
static bool step(void)
{
    if (current->steps > 0) {
        current->steps--;
        return true;
    }
    current->stopped = true;
    current->cookie->abort = 1;
    return false;
}

static bool fits(const fz_image *image)
{
    if (image && (double) image->w * image->h > current->max_pixels) {
        current->too_large = true;
        return false;
    }
    return step();
}

/* NOLINTNEXTLINE(readability-function-size): the device has so many parameters. */
static void fill_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                      fz_matrix ctm, fz_colorspace *space, const float *color, float alpha,
                      fz_color_params params)
{
    if (step() && wrapped.fill_path)
        wrapped.fill_path(ctx, device, path, even_odd, ctm, space, color, alpha, params);
}

/* NOLINTNEXTLINE(readability-function-size) */
static void stroke_path(fz_context *ctx, fz_device *device, const fz_path *path,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    if (step() && wrapped.stroke_path)
        wrapped.stroke_path(ctx, device, path, stroke, ctm, space, color, alpha, params);
}

static void fill_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                      fz_colorspace *space, const float *color, float alpha, fz_color_params params)
{
    if (step() && wrapped.fill_text)
        wrapped.fill_text(ctx, device, text, ctm, space, color, alpha, params);
}

static void fill_shade(fz_context *ctx, fz_device *device, fz_shade *shade, fz_matrix ctm,
                       float alpha, fz_color_params params)
{
    if (step() && wrapped.fill_shade)
        wrapped.fill_shade(ctx, device, shade, ctm, alpha, params);
}

static void fill_image(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                       float alpha, fz_color_params params)
{
    if (fits(image) && wrapped.fill_image)
        wrapped.fill_image(ctx, device, image, ctm, alpha, params);
}

static void fill_image_mask(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                            fz_colorspace *space, const float *color, float alpha,
                            fz_color_params params)
{
    if (fits(image) && wrapped.fill_image_mask)
        wrapped.fill_image_mask(ctx, device, image, ctm, space, color, alpha, params);
}

/* What is begun is always passed on: its end will be. */
static void clip_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                      fz_matrix ctm, fz_rect scissor)
{
    current->steps -= CLIP - 1;
    step();
    if (wrapped.clip_path)
        wrapped.clip_path(ctx, device, path, even_odd, ctm, scissor);
}

static void begin_group(fz_context *ctx, fz_device *device, fz_rect area, fz_colorspace *space,
                        int isolated, int knockout, int blend, float alpha)
{
    step();
    if (wrapped.begin_group)
        wrapped.begin_group(ctx, device, area, space, isolated, knockout, blend, alpha);
}

/* `area` is to be filled with what is in `view`. The cells of a pattern that has too many are moved
 * apart, as far as nobody can see. */
static int begin_tile(fz_context *ctx, fz_device *device, fz_rect area, fz_rect view, float x,
                      float y, fz_matrix ctm, int id)
{
    float scale = fabsf(ctm.a * ctm.d - ctm.b * ctm.c), cell;
    float w = area.x1 - area.x0, h = area.y1 - area.y0;

    step();
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

void guard_watch(fz_device *device, struct guard *guard)
{
    current = guard;
    too_long = false;
    wrapped = *device;
    /* What a device leaves out is counted too: reading it takes its time. */
    device->fill_path = fill_path;
    device->stroke_path = stroke_path;
    device->fill_text = fill_text;
    device->fill_shade = fill_shade;
    device->fill_image = fill_image;
    device->fill_image_mask = fill_image_mask;
    device->clip_path = clip_path;
    device->begin_group = begin_group;
    device->begin_tile = begin_tile;
}

void guard_too_long(void)
{
    too_long = true;
}

int guard_check(const struct guard *guard, size_t page, struct err *err)
{
    if (guard->stopped)
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu draws more than %d million things",
                       page + 1, GUARD_STEPS / 1000000);
    if (too_long)
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu unpacks to more than %d MB", page + 1,
                       (int) (GUARD_UNPACKED >> 20));
    if (guard->too_large)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "page %zu has a picture of more than %d million pixels", page + 1,
                       GUARD_PIXELS / 1000000);
    return 0;
}
