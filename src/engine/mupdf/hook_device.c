#include "engine/mupdf/hook_device.h"

/* NOLINTNEXTLINE(readability-function-size): the device's functions have that many parameters. */
static void forward_fill_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                              fz_matrix ctm, fz_colorspace *space, const float *color, float alpha,
                              fz_color_params params)
{
    fz_fill_path(ctx, hook_device_next(device), path, even_odd, ctm, space, color, alpha, params);
}

/* NOLINTNEXTLINE(readability-function-size) */
static void forward_stroke_path(fz_context *ctx, fz_device *device, const fz_path *path,
                                const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                                const float *color, float alpha, fz_color_params params)
{
    fz_stroke_path(ctx, hook_device_next(device), path, stroke, ctm, space, color, alpha, params);
}

static void forward_clip_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                              fz_matrix ctm, fz_rect scissor)
{
    fz_clip_path(ctx, hook_device_next(device), path, even_odd, ctm, scissor);
}

static void forward_clip_stroke_path(fz_context *ctx, fz_device *device, const fz_path *path,
                                     const fz_stroke_state *stroke, fz_matrix ctm, fz_rect scissor)
{
    fz_clip_stroke_path(ctx, hook_device_next(device), path, stroke, ctm, scissor);
}

static void forward_fill_text(fz_context *ctx, fz_device *device, const fz_text *text,
                              fz_matrix ctm, fz_colorspace *space, const float *color, float alpha,
                              fz_color_params params)
{
    fz_fill_text(ctx, hook_device_next(device), text, ctm, space, color, alpha, params);
}

/* NOLINTNEXTLINE(readability-function-size) */
static void forward_stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                                const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                                const float *color, float alpha, fz_color_params params)
{
    fz_stroke_text(ctx, hook_device_next(device), text, stroke, ctm, space, color, alpha, params);
}

static void forward_clip_text(fz_context *ctx, fz_device *device, const fz_text *text,
                              fz_matrix ctm, fz_rect scissor)
{
    fz_clip_text(ctx, hook_device_next(device), text, ctm, scissor);
}

static void forward_clip_stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                                     const fz_stroke_state *stroke, fz_matrix ctm, fz_rect scissor)
{
    fz_clip_stroke_text(ctx, hook_device_next(device), text, stroke, ctm, scissor);
}

static void forward_ignore_text(fz_context *ctx, fz_device *device, const fz_text *text,
                                fz_matrix ctm)
{
    fz_ignore_text(ctx, hook_device_next(device), text, ctm);
}

static void forward_fill_shade(fz_context *ctx, fz_device *device, fz_shade *shade, fz_matrix ctm,
                               float alpha, fz_color_params params)
{
    fz_fill_shade(ctx, hook_device_next(device), shade, ctm, alpha, params);
}

static void forward_fill_image(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                               float alpha, fz_color_params params)
{
    fz_fill_image(ctx, hook_device_next(device), image, ctm, alpha, params);
}

static void forward_fill_image_mask(fz_context *ctx, fz_device *device, fz_image *image,
                                    fz_matrix ctm, fz_colorspace *space, const float *color,
                                    float alpha, fz_color_params params)
{
    fz_fill_image_mask(ctx, hook_device_next(device), image, ctm, space, color, alpha, params);
}

static void forward_clip_image_mask(fz_context *ctx, fz_device *device, fz_image *image,
                                    fz_matrix ctm, fz_rect scissor)
{
    fz_clip_image_mask(ctx, hook_device_next(device), image, ctm, scissor);
}

static void forward_pop_clip(fz_context *ctx, fz_device *device)
{
    fz_pop_clip(ctx, hook_device_next(device));
}

static void forward_begin_mask(fz_context *ctx, fz_device *device, fz_rect area, int luminosity,
                               fz_colorspace *space, const float *color, fz_color_params params)
{
    fz_begin_mask(ctx, hook_device_next(device), area, luminosity, space, color, params);
}

static void forward_end_mask(fz_context *ctx, fz_device *device)
{
    fz_end_mask(ctx, hook_device_next(device));
}

static void forward_begin_group(fz_context *ctx, fz_device *device, fz_rect area,
                                fz_colorspace *space, int isolated, int knockout, int blend,
                                float alpha)
{
    fz_begin_group(ctx, hook_device_next(device), area, space, isolated, knockout, blend, alpha);
}

static void forward_end_group(fz_context *ctx, fz_device *device)
{
    fz_end_group(ctx, hook_device_next(device));
}

static int forward_begin_tile(fz_context *ctx, fz_device *device, fz_rect area, fz_rect view,
                              float x, float y, fz_matrix ctm, int id)
{
    return fz_begin_tile_id(ctx, hook_device_next(device), area, view, x, y, ctm, id);
}

static void forward_end_tile(fz_context *ctx, fz_device *device)
{
    fz_end_tile(ctx, hook_device_next(device));
}

static void forward_render_flags(fz_context *ctx, fz_device *device, int set, int clear)
{
    fz_render_flags(ctx, hook_device_next(device), set, clear);
}

static void forward_set_default_colorspaces(fz_context *ctx, fz_device *device,
                                            fz_default_colorspaces *spaces)
{
    fz_set_default_colorspaces(ctx, hook_device_next(device), spaces);
}

static void forward_begin_layer(fz_context *ctx, fz_device *device, const char *name)
{
    fz_begin_layer(ctx, hook_device_next(device), name);
}

static void forward_end_layer(fz_context *ctx, fz_device *device)
{
    fz_end_layer(ctx, hook_device_next(device));
}

static void close_device(fz_context *ctx, fz_device *device)
{
    fz_close_device(ctx, hook_device_next(device));
}

static void drop_device(fz_context *ctx, fz_device *device)
{
    fz_drop_device(ctx, hook_device_next(device));
}

struct hook_device *hook_device_push(fz_context *ctx, fz_device **device, void *arg)
{
    struct hook_device *hook = fz_new_derived_device(ctx, struct hook_device);

    hook->super.hints = (*device)->hints;
    hook->super.close_device = close_device;
    hook->super.drop_device = drop_device;
    hook->super.fill_path = forward_fill_path;
    hook->super.stroke_path = forward_stroke_path;
    hook->super.clip_path = forward_clip_path;
    hook->super.clip_stroke_path = forward_clip_stroke_path;
    hook->super.fill_text = forward_fill_text;
    hook->super.stroke_text = forward_stroke_text;
    hook->super.clip_text = forward_clip_text;
    hook->super.clip_stroke_text = forward_clip_stroke_text;
    hook->super.ignore_text = forward_ignore_text;
    hook->super.fill_shade = forward_fill_shade;
    hook->super.fill_image = forward_fill_image;
    hook->super.fill_image_mask = forward_fill_image_mask;
    hook->super.clip_image_mask = forward_clip_image_mask;
    hook->super.pop_clip = forward_pop_clip;
    hook->super.begin_mask = forward_begin_mask;
    hook->super.end_mask = forward_end_mask;
    hook->super.begin_group = forward_begin_group;
    hook->super.end_group = forward_end_group;
    hook->super.begin_tile = forward_begin_tile;
    hook->super.end_tile = forward_end_tile;
    hook->super.render_flags = forward_render_flags;
    hook->super.set_default_colorspaces = forward_set_default_colorspaces;
    hook->super.begin_layer = forward_begin_layer;
    hook->super.end_layer = forward_end_layer;
    hook->next = *device;
    hook->arg = arg;
    *device = &hook->super;
    return hook;
}
