#include "engine/mupdf_content/soft_mask.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "engine/mupdf/engine.h"

#define PREFIX     "platen transfer function "
#define HALF       (SOFT_MASK_LEVELS / 2)
#define NAME_BYTES (sizeof PREFIX + 2 + 2 * HALF)

/* The name of a layer: the prefix, the number of the half, and its levels in hexadecimal. */
static void begin_half(fz_context *ctx, fz_device *next, const unsigned char *levels, int half)
{
    char name[NAME_BYTES];
    int at = snprintf(name, sizeof name, PREFIX "%d ", half);

    for (int i = 0; i < HALF; i++)
        snprintf(name + at + 2 * i, 3, "%02x", levels[half * HALF + i]);
    fz_begin_layer(ctx, next, name);
    fz_end_layer(ctx, next);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* False: the layer is one of the document. */
static bool read_half(const char *name, struct soft_mask_open *open)
{
    const char *p = name + strlen(PREFIX);
    int half;

    if (strncmp(name, PREFIX, strlen(PREFIX)) != 0 || strlen(name) != NAME_BYTES - 1 || p[1] != ' ')
        return false;
    half = *p == '1' ? 1 : 0;
    p += 2;
    for (int i = 0; i < HALF; i++, p += 2) {
        int high = hex_digit(p[0]), low = hex_digit(p[1]);

        if (high < 0 || low < 0)
            return false;
        open->levels[half * HALF + i] = (unsigned char) (high * 16 + low);
    }
    open->halves |= (unsigned char) (1 << half);
    return true;
}

/* Outside its box an alpha mask has the level that the function gives for 0. */
static void record_begin(fz_context *ctx, fz_device *device, fz_rect area, int luminosity,
                         fz_colorspace *space, const float *color, fz_color_params params)
{
    struct engine_own *own = engine_own(ctx);
    const unsigned char *levels = own ? own->transfer_next : NULL;
    fz_device *next = hook_device_next(device);

    if (levels && levels[0] > 0)
        area = fz_infinite_rect;
    fz_begin_mask(ctx, next, area, luminosity, space, color, params);
    if (levels) {
        own->transfer_next = NULL;
        begin_half(ctx, next, levels, 0);
        begin_half(ctx, next, levels, 1);
    }
}

void soft_mask_record(struct hook_device *hook)
{
    hook->super.begin_mask = record_begin;
}

static struct soft_mask_open *innermost(fz_device *device)
{
    struct soft_mask_drawing *drawing = hook_device_arg(device);

    return drawing->depth > 0 && drawing->depth <= SOFT_MASK_DEPTH
               ? &drawing->open[drawing->depth - 1]
               : NULL;
}

static void draw_begin(fz_context *ctx, fz_device *device, fz_rect area, int luminosity,
                       fz_colorspace *space, const float *color, fz_color_params params)
{
    struct soft_mask_drawing *drawing = hook_device_arg(device);
    struct soft_mask_open *open;

    drawing->depth++;
    open = innermost(device);
    if (open)
        open->halves = 0;
    fz_begin_mask(ctx, hook_device_next(device), area, luminosity, space, color, params);
}

static void draw_layer(fz_context *ctx, fz_device *device, const char *name)
{
    struct soft_mask_open *open = innermost(device);

    (void) ctx;
    if (open && name)
        read_half(name, open);
}

static void draw_end(fz_context *ctx, fz_device *device)
{
    struct soft_mask_drawing *drawing = hook_device_arg(device);
    struct soft_mask_open *open = innermost(device);
    struct engine_own *own = engine_own(ctx);

    if (drawing->depth > 0)
        drawing->depth--;
    if (own && open && open->halves == 3)
        own->transfer = open->levels;
    fz_try(ctx)
    {
        fz_end_mask(ctx, hook_device_next(device));
    }
    fz_always(ctx)
    {
        if (own)
            own->transfer = NULL;
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

void soft_mask_push(fz_context *ctx, fz_device **device, struct soft_mask_drawing *drawing)
{
    fz_device *super = &hook_device_push(ctx, device, drawing)->super;

    drawing->depth = 0;
    super->begin_mask = draw_begin;
    super->begin_layer = draw_layer;
    super->end_mask = draw_end;
}
