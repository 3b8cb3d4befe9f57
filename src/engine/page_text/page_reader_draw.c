#include <math.h>

#include "engine/mupdf/engine.h"
#include "engine/mupdf/guard.h"
#include "engine/mupdf_content/soft_mask.h"
#include "engine/mupdf_forms/form_values.h"
#include "engine/page_text/page_reader.h"
#include "engine/page_text/page_scale.h"
#include "engine/page_text/page_turn.h"
#include "image/encode/png_writer.h"
#include "layout/page/vertical_text.h"

#define MAX_PIXELS 40000000
#define KEPT_GLYPH 24   /* bytes of a glyph in a display list */
#define HAIRLINE   0.4F /* points: thinner lines are drawn with this width, as readers do */

/* Draws the part of the page as pixels; may throw. */
static fz_pixmap *draw_part(fz_context *ctx, fz_display_list *list, const struct area *area,
                            float zoom, enum page_reader_part part, struct guard *guard)
{
    fz_matrix ctm = fz_scale(zoom, zoom);
    fz_rect rect = { area->x0, area->y0, area->x1, area->y1 };
    /* Rounded outwards, because a frame has its lines at the edges. */
    fz_irect box = fz_irect_from_rect(fz_transform_rect(rect, ctm));
    fz_pixmap *pixmap = fz_new_pixmap_with_bbox(ctx, fz_device_rgb(ctx), box, NULL, 0);
    fz_device *device = NULL;
    float before = fz_graphics_min_line_width(ctx);
    struct soft_mask_drawing masks;

    fz_var(device);
    fz_try(ctx)
    {
        fz_set_graphics_min_line_width(ctx, fmaxf(HAIRLINE * zoom, 1));
        fz_clear_pixmap_with_value(ctx, pixmap, 0xff);
        device = fz_new_draw_device(ctx, ctm, pixmap);
        if (part != PAGE_READER_SEEN) {
            device->fill_text = NULL;
            device->stroke_text = NULL;
        }
        if (part == PAGE_READER_DRAWINGS)
            device->fill_image = NULL;
        soft_mask_push(ctx, &device, &masks);
        guard->box = box;
        guard->zoom = zoom;
        guard_push(ctx, &device, guard);
        fz_run_display_list(ctx, list, device, fz_identity, fz_infinite_rect, guard->cookie);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_set_graphics_min_line_width(ctx, before);
    }
    fz_catch(ctx)
    {
        /* What was drawn before the damage is kept. */
    }
    return pixmap;
}

static int put_picture(struct page_reader *reader, struct page_content *content, struct area area,
                       double dpi, const fz_pixmap *pixels, struct err *err)
{
    struct buf bytes = BUF_EMPTY;
    struct pixmap pixmap = { .width = (uint32_t) pixels->w,
                             .height = (uint32_t) pixels->h,
                             .stride = (size_t) pixels->stride,
                             .kind = PIXMAP_RGB,
                             .samples = pixels->samples };
    struct page_picture *picture;

    if (content->n_pictures == content->cap_pictures)
        return engine_no_memory(err);
    if (png_writer_write(reader->writer, &pixmap, dpi, false, sink_buf(&bytes), err) < 0) {
        buf_free(&bytes);
        return -1;
    }
    picture = &content->pictures[content->n_pictures++];
    *picture = (struct page_picture){
        .area = area, .extension = "png", .n_bytes = bytes.len, .order = UINT32_MAX
    };
    picture->bytes = buf_take(&bytes);
    return picture->bytes ? 0 : engine_no_memory(err);
}

void page_reader_forget(struct page_reader *reader)
{
    if (reader->list)
        fz_drop_display_list(reader->doc->ctx, reader->list);
    reader->list = NULL;
}

void page_reader_put_damage(const struct page_reader *reader, struct page_content *content)
{
    const struct damage *damage = &damage_state(reader->doc->ctx)->damage;

    static_assert(sizeof content->damage == DAMAGE_WORDS, "");
    if (damage->n == 0)
        return;
    content->damaged = true;
    damage_words(damage, content->damage);
}

/* Reads the page again into a display list, perhaps by another reader than the one that rotated
 * it; may throw. */
static void list_page(struct page_reader *reader, const struct page_content *content,
                      struct guard *guard)
{
    fz_context *ctx = reader->doc->ctx;
    fz_page *page = NULL;
    fz_device *device = NULL;

    fz_var(page);
    fz_var(device);
    fz_try(ctx)
    {
        if (content->rotated)
            page_turn_set(ctx, reader->doc->pdf, content->number, content->rotate);
        page_scale_fit(ctx, reader->doc->pdf, content->number);
        page = form_values_load_page(ctx, reader->doc->pdf, (int) content->number, NULL);
        reader->list = fz_new_display_list(ctx, fz_bound_page(ctx, page));
        device = fz_new_list_device(ctx, reader->list);
        soft_mask_record(hook_device_push(ctx, &device, NULL));
        guard->kept_glyph = KEPT_GLYPH;
        guard_push(ctx, &device, guard);
        fz_run_page(ctx, page, device, fz_identity, guard->cookie);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_page(ctx, page);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static fz_pixmap *draw_area(struct page_reader *reader, const struct page_content *content,
                            const struct area *area, const float zoom, enum page_reader_part part,
                            struct err *err)
{
    fz_context *ctx = reader->doc->ctx;
    fz_cookie cookie = { 0 };
    struct guard guard = { .cookie = &cookie, .max_pixels = GUARD_PIXELS };
    fz_pixmap *pixels = NULL;

    fz_var(pixels);
    if (reader->list_page != content->number)
        page_reader_forget(reader);
    fz_try(ctx)
    {
        if (!reader->list)
            list_page(reader, content, &guard);
        reader->list_page = content->number;
        if (guard.end == GUARD_GOES_ON) {
            guard = (struct guard){ .cookie = &cookie, .max_pixels = GUARD_PIXELS };
            pixels = draw_part(ctx, reader->list, area, zoom, part, &guard);
        }
    }
    fz_catch(ctx)
    {
        page_reader_forget(reader);
        engine_caught(ctx, "a page", err);
        return NULL;
    }
    if (guard_check(ctx, &guard, content->number, err) == 0)
        return pixels;
    page_reader_forget(reader);
    fz_drop_pixmap(ctx, pixels);
    return NULL;
}

/* Draws an area, and says in the content what of it could not be read. */
static fz_pixmap *draw_noted(struct page_reader *reader, struct page_content *content,
                             const struct area *area, float zoom, enum page_reader_part part,
                             struct err *err)
{
    struct damage_state *state = damage_state(reader->doc->ctx);
    struct damage before = state->damage; /* perhaps of another page */
    fz_pixmap *pixels;

    damage_begin(reader->doc->ctx);
    pixels = draw_area(reader, content, area, zoom, part, err);
    if (!*content->damage)
        page_reader_put_damage(reader, content);
    damage_add(&before, &state->damage);
    state->damage = before;
    return pixels;
}

int page_reader_draw(struct page_reader *reader, struct page_content *content, struct area area,
                     double dpi, enum page_reader_part part, struct err *err)
{
    double size = (double) area_width(&area) * (double) area_height(&area) / (72.0 * 72.0);
    double used = size * dpi * dpi > MAX_PIXELS ? sqrt(MAX_PIXELS / size) : dpi;
    struct area drawn = vertical_text_drawn(content, &area);
    fz_pixmap *pixels = draw_noted(reader, content, &drawn, (float) used / 72, part, err);
    int done = 0;

    if (!pixels)
        return -1;
    drawn = (struct area){ .x0 = (float) (pixels->x * 72 / used),
                           .y0 = (float) (pixels->y * 72 / used),
                           .x1 = (float) ((pixels->x + pixels->w) * 72 / used),
                           .y1 = (float) ((pixels->y + pixels->h) * 72 / used) };
    area = vertical_text_placed(content, &drawn);
    if (pixels->w > 0 && pixels->h > 0)
        done = put_picture(reader, content, area, used, pixels, err);
    fz_drop_pixmap(reader->doc->ctx, pixels);
    return done;
}
