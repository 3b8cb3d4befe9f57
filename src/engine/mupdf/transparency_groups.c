#include "engine/mupdf/transparency_groups.h"

#include <stdbool.h>
#include <stdint.h>

#include "engine/mupdf/hook_device.h"

#define MAX_GROUPS 4096 /* groups after these count as blended */
#define MAX_DEPTH  64

/* The properties of the groups, in the order in which they begin. */
struct found {
    uint8_t blended[MAX_GROUPS]; /* something in the group is not blended normally */
    size_t n, easier;
};

/* The state of a device: the open groups. */
struct easing {
    struct found *found;
    size_t next; /* number of the next group */
    size_t open[MAX_DEPTH];
    bool left_out[MAX_DEPTH];
    size_t depth;
};

static bool is_normal(const struct found *found, size_t group)
{
    return group < MAX_GROUPS && !found->blended[group];
}

/* Whether the group has no blend mode, opacity or colour space of its own. */
static bool is_plain(fz_context *ctx, fz_colorspace *space, int knockout, int blend, float alpha)
{
    return blend == FZ_BLEND_NORMAL && !knockout && alpha == 1 &&
           (!space || fz_colorspace_is_rgb(ctx, space));
}

static void find_begin(fz_context *ctx, fz_device *device, fz_rect area, fz_colorspace *space,
                       int isolated, int knockout, int blend, float alpha)
{
    struct easing *easing = hook_device_arg(device);
    struct found *found = easing->found;

    (void) area;
    if (blend != FZ_BLEND_NORMAL || knockout || easing->depth >= MAX_DEPTH)
        for (size_t i = 0; i < easing->depth && i < MAX_DEPTH; i++)
            if (easing->open[i] < MAX_GROUPS)
                found->blended[easing->open[i]] = 1;
    if (knockout && found->n < MAX_GROUPS)
        found->blended[found->n] = 1;
    if (easing->depth < MAX_DEPTH)
        easing->open[easing->depth] = found->n;
    easing->depth++;
    found->n++;
    if (!isolated || is_plain(ctx, space, knockout, blend, alpha))
        found->easier++;
}

static void find_end(fz_context *ctx, fz_device *device)
{
    struct easing *easing = hook_device_arg(device);

    (void) ctx;
    if (easing->depth > 0)
        easing->depth--;
}

static void ease_begin(fz_context *ctx, fz_device *device, fz_rect area, fz_colorspace *space,
                       int isolated, int knockout, int blend, float alpha)
{
    struct easing *easing = hook_device_arg(device);
    bool normal = is_normal(easing->found, easing->next++);
    bool left_out =
        normal && easing->depth < MAX_DEPTH && is_plain(ctx, space, knockout, blend, alpha);

    if (easing->depth < MAX_DEPTH)
        easing->left_out[easing->depth] = left_out;
    easing->depth++;
    if (!left_out)
        fz_begin_group(ctx, hook_device_next(device), area, space, isolated || normal, knockout,
                       blend, alpha);
}

static void ease_end(fz_context *ctx, fz_device *device)
{
    struct easing *easing = hook_device_arg(device);
    bool left_out = false;

    if (easing->depth > 0)
        easing->depth--;
    if (easing->depth < MAX_DEPTH)
        left_out = easing->left_out[easing->depth];
    if (!left_out)
        fz_end_group(ctx, hook_device_next(device));
}

/* Writes to `easier`, or if that is NULL, only finds the properties of the groups. The same
 * functions are called for the same groups in the same order, so that groups can be identified by
 * number. */
static void run_list(fz_context *ctx, fz_display_list *list, struct found *found,
                     fz_display_list *easier)
{
    struct easing easing = { .found = found };
    fz_device *device = NULL;
    struct hook_device *hook;

    fz_var(device);
    fz_try(ctx)
    {
        device = easier ? fz_new_list_device(ctx, easier) : fz_new_derived_device(ctx, fz_device);
        hook = hook_device_push(ctx, &device, &easing);
        hook->super.begin_group = easier ? ease_begin : find_begin;
        hook->super.end_group = easier ? ease_end : find_end;
        fz_run_display_list(ctx, list, device, fz_identity, fz_infinite_rect, NULL);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

fz_display_list *transparency_groups_simplify(fz_context *ctx, fz_display_list *list)
{
    struct found *found = fz_calloc(ctx, 1, sizeof *found);
    fz_display_list *easier = NULL;

    fz_var(easier);
    fz_try(ctx)
    {
        run_list(ctx, list, found, NULL);
        if (found->easier > 0) {
            easier = fz_new_display_list(ctx, fz_bound_display_list(ctx, list));
            run_list(ctx, list, found, easier);
        }
    }
    fz_always(ctx)
    {
        fz_free(ctx, found);
    }
    fz_catch(ctx)
    {
        fz_drop_display_list(ctx, easier);
        fz_rethrow(ctx);
    }
    return easier;
}
