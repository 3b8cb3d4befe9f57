#include "engine/page_image/page_drawing.h"

#include <math.h>
#include <string.h>

#include "base/effort.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/guard.h"
#include "engine/mupdf/hook_device.h"
#include "engine/mupdf/transparency_groups.h"
#include "engine/mupdf_content/soft_mask.h"
#include "engine/mupdf_forms/form_values.h"
#include "engine/page_image/known_text.h"

/* A page that cannot be read at all becomes a white Letter page. */
static const fz_rect no_page = { 0, 0, 612, 792 };

#define METRES      (0.0254 / 72) /* metres in a point */
#define KEPT_GLYPH  24            /* bytes of a glyph in a display list */
#define PAGE_PIXELS 8700000.0     /* pixels of the page that effort.h measures by: A4 at 300 dpi */
/* least number of rows that are drawn at a time, however deep groups are nested */
#define LEAST_ROWS 16

static int check_size(const struct page_drawing *drawing, fz_rect bounds,
                      const struct page_drawing_options *options, struct err *err)
{
    double w = (double) bounds.x1 - bounds.x0, h = (double) bounds.y1 - bounds.y0;
    double longest = w > h ? w : h, dpi = options->dpi;
    double pixels = w * h * dpi * dpi / (72.0 * 72.0);
    double fits;

    if (pixels <= (double) options->max_pixels && longest * dpi / 72 <= (double) options->max_side)
        return 0;
    fits = 72 * sqrt((double) options->max_pixels / (w * h));
    if (longest * fits / 72 > (double) options->max_side)
        fits = (double) options->max_side * 72 / longest;
    if (fits < PAGE_DPI_MIN)
        return err_set(err, ERR_LIMIT_EXCEEDED,
                       "page %zu is %.4g x %.4g metres large, too large for a picture even at %d "
                       "dpi: leave it out of \"pages\"",
                       drawing->page + 1, w * METRES, h * METRES, PAGE_DPI_MIN);
    return err_set(err, ERR_LIMIT_EXCEEDED,
                   "page %zu would have %.0f x %.0f pixels at %.0f dpi, more than %lld million or "
                   "than %lld on a side: at most %.0f dpi fit",
                   drawing->page + 1, w * dpi / 72, h * dpi / 72, dpi,
                   (long long) options->max_pixels / 1000000, (long long) options->max_side,
                   floor(fits));
}

#define WIDTH_PIXELS 8000000.0 /* limit of pixels for a picture of a given width */

/* The resolution at which the page has the requested width. */
static double dpi_of_width(fz_rect bounds, const struct page_drawing_options *options)
{
    double w = fmax((double) bounds.x1 - bounds.x0, 1), h = fmax((double) bounds.y1 - bounds.y0, 1);
    double width = fmin(options->width, sqrt(WIDTH_PIXELS * w / h));

    width = fmin(width, (double) options->max_side * w / h);
    return 72 * fmax(width, 1) / w;
}

/* Rounds the page to pixels in the way other programs do, so that pictures can be compared. */
static int measure_page(struct page_drawing *drawing, fz_rect bounds,
                        const struct page_drawing_options *options, struct err *err)
{
    double dpi = options->width > 0 ? dpi_of_width(bounds, options) : options->dpi;
    float zoom = (float) (dpi / 72);
    fz_irect box;

    if (options->width == 0 && check_size(drawing, bounds, options, err) < 0)
        return -1;
    drawing->matrix = fz_scale(zoom, zoom);
    box = fz_round_rect(fz_transform_rect(bounds, drawing->matrix));
    drawing->x = box.x0;
    drawing->y = box.y0;
    drawing->width = box.x1 > box.x0 ? box.x1 - box.x0 : 1;
    drawing->height = box.y1 > box.y0 ? box.y1 - box.y0 : 1;
    return 0;
}

static fz_page *load_page(struct mupdf_document *doc, size_t number, fz_rect *bounds, bool *whole,
                          struct err *err)
{
    fz_context *ctx = doc->ctx;
    fz_page *page = NULL;

    fz_var(page);
    *bounds = no_page;
    *whole = false;
    fz_try(ctx)
    {
        page = form_values_load_page(ctx, doc->pdf, (int) number, whole);
        *bounds = fz_bound_page(ctx, page);
    }
    fz_catch(ctx)
    {
        fz_drop_page(ctx, page);
        page = NULL;
        engine_caught(ctx, "a page", err);
    }
    return page;
}

/* A group with a CMYK blending space would have its screen colours converted to CMYK and back:
 * all groups are blended in the colours of the picture instead. */
static void begin_group(fz_context *ctx, fz_device *device, fz_rect area, fz_colorspace *space,
                        int isolated, int knockout, int blend, float alpha)
{
    if (space && fz_colorspace_type(ctx, space) == FZ_COLORSPACE_CMYK)
        space = NULL;
    fz_begin_group(ctx, hook_device_next(device), area, space, isolated, knockout, blend, alpha);
}

/* Records the page in a display list. What was recorded before an error stays. False: there was
 * one. */
static bool list_page(struct page_drawing *drawing, fz_context *ctx, fz_page *page,
                      const struct page_drawing_options *options, struct guard *guard)
{
    fz_device *device = NULL;
    struct hook_device *hook;
    fz_cookie cookie = { 0 };
    bool sound = true;

    fz_var(device);
    fz_var(sound);
    fz_try(ctx)
    {
        device = fz_new_list_device(ctx, drawing->list);
        hook = hook_device_push(ctx, &device, NULL);
        hook->super.begin_group = begin_group;
        soft_mask_record(hook);
        *guard = (struct guard){ .cookie = &cookie,
                                 .max_pixels = GUARD_PIXELS,
                                 .kept_glyph = KEPT_GLYPH };
        guard_push(ctx, &device, guard);
        fz_run_page_contents(ctx, page, device, fz_identity, &cookie);
        if (options->annotations) {
            fz_run_page_annots(ctx, page, device, fz_identity, &cookie);
            fz_run_page_widgets(ctx, page, device, fz_identity, &cookie);
        }
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
    }
    fz_catch(ctx)
    {
        sound = false;
    }
    return sound && cookie.errors == 0;
}

static int new_list(struct page_drawing *drawing, fz_context *ctx, fz_rect bounds, struct err *err)
{
    fz_try(ctx)
    {
        drawing->list = fz_new_display_list(ctx, bounds);
    }
    fz_catch(ctx)
    {
        return engine_caught(ctx, "a page", err);
    }
    return 0;
}

/* If simplifying fails, the groups are drawn as they are. */
static void ease_groups(struct page_drawing *drawing, fz_context *ctx)
{
    fz_display_list *easier = NULL;

    fz_var(easier);
    fz_try(ctx)
    {
        easier = transparency_groups_simplify(ctx, drawing->list);
    }
    fz_catch(ctx)
    {
        easier = NULL;
    }
    if (!easier)
        return;
    fz_drop_display_list(ctx, drawing->list);
    drawing->list = easier;
}

/* Whether the page certainly has only grays; pictures are checked by their colour space. Such a
 * page gets the same pixels when it is drawn in gray, with a third of the memory. */
static bool is_gray(const struct page_drawing *drawing, fz_context *ctx)
{
    fz_device *device = NULL;
    int color = 0;

    fz_var(device);
    fz_var(color);
    fz_try(ctx)
    {
        device = fz_new_test_device(ctx, &color, 0, 0, NULL);
        fz_run_display_list(ctx, drawing->list, device, fz_identity, fz_infinite_rect, NULL);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
    }
    fz_catch(ctx)
    {
        color = 2;
    } /* the device throws when it finds a colour */
    return color == 0;
}

int page_drawing_open(struct page_drawing *drawing, struct mupdf_document *doc, size_t number,
                      const struct page_drawing_options *options, struct err *err)
{
    fz_context *ctx = doc->ctx;
    struct guard guard = { 0 };
    bool sound = false, whole = false;
    fz_page *page;
    fz_rect bounds;

    *drawing = (struct page_drawing){ .page = number, .kind = options->kind };
    effort_begin(1);
    damage_begin(ctx);
    page = load_page(doc, number, &bounds, &whole, err);
    if (!page && err->code == ERR_LIMIT_EXCEEDED)
        return -1;
    if (measure_page(drawing, bounds, options, err) < 0 ||
        new_list(drawing, ctx, bounds, err) < 0) {
        fz_drop_page(ctx, page);
        return -1;
    }
    if (page)
        sound = list_page(drawing, ctx, page, options, &guard) && whole;
    fz_drop_page(ctx, page);
    if (guard_check(ctx, &guard, number, err) < 0) {
        page_drawing_close(drawing, doc);
        return -1;
    }
    ease_groups(drawing, ctx);
    if (drawing->kind == PIXMAP_RGB && is_gray(drawing, ctx))
        drawing->kind = PIXMAP_GRAY;
    if (!sound && engine_check_memory(err) < 0) {
        page_drawing_close(drawing, doc);
        return -1;
    }
    drawing->damage = damage_state(ctx)->damage;
    drawing->damaged = !sound || drawing->damage.n > 0;
    return 0;
}

bool page_drawing_has_alpha(const struct page_drawing *drawing)
{
    return drawing->kind == PIXMAP_GRAY_ALPHA || drawing->kind == PIXMAP_RGBA;
}

static void skip_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                      fz_matrix matrix, fz_colorspace *space, const float *color, float alpha,
                      fz_color_params params)
{
    (void) ctx, (void) device, (void) path, (void) even_odd, (void) matrix, (void) space;
    (void) color, (void) alpha, (void) params;
}

static void skip_stroke(fz_context *ctx, fz_device *device, const fz_path *path,
                        const fz_stroke_state *stroke, fz_matrix matrix, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    (void) ctx, (void) device, (void) path, (void) stroke, (void) matrix, (void) space;
    (void) color, (void) alpha, (void) params;
}

static void skip_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix matrix,
                      fz_colorspace *space, const float *color, float alpha, fz_color_params params)
{
    (void) ctx, (void) device, (void) text, (void) matrix, (void) space;
    (void) color, (void) alpha, (void) params;
}

static void skip_text_stroke(fz_context *ctx, fz_device *device, const fz_text *text,
                             const fz_stroke_state *stroke, fz_matrix matrix, fz_colorspace *space,
                             const float *color, float alpha, fz_color_params params)
{
    (void) ctx, (void) device, (void) text, (void) stroke, (void) matrix, (void) space;
    (void) color, (void) alpha, (void) params;
}

static void skip_shade(fz_context *ctx, fz_device *device, fz_shade *shade, fz_matrix matrix,
                       float alpha, fz_color_params params)
{
    (void) ctx, (void) device, (void) shade, (void) matrix, (void) alpha, (void) params;
}

static void skip_all_but_pictures(fz_context *ctx, fz_device **device)
{
    fz_device *hook = &hook_device_push(ctx, device, NULL)->super;

    hook->fill_path = skip_path;
    hook->stroke_path = skip_stroke;
    hook->fill_text = skip_text;
    hook->stroke_text = skip_text_stroke;
    hook->fill_shade = skip_shade;
}

static void draw_unknown(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix matrix,
                         fz_colorspace *space, const float *color, float alpha,
                         fz_color_params params)
{
    if (!known_text_is(text))
        fz_fill_text(ctx, hook_device_next(device), text, matrix, space, color, alpha, params);
}

static void draw_unknown_stroke(fz_context *ctx, fz_device *device, const fz_text *text,
                                const fz_stroke_state *stroke, fz_matrix matrix,
                                fz_colorspace *space, const float *color, float alpha,
                                fz_color_params params)
{
    if (!known_text_is(text))
        fz_stroke_text(ctx, hook_device_next(device), text, stroke, matrix, space, color, alpha,
                       params);
}

static void skip_known_text(fz_context *ctx, fz_device **device)
{
    fz_device *hook = &hook_device_push(ctx, device, NULL)->super;

    hook->fill_text = draw_unknown;
    hook->stroke_text = draw_unknown_stroke;
}

/* Draws rows from y on. -1: out of memory. What was drawn before any other error stays. */
static int draw_rows(const struct page_drawing *drawing, fz_context *ctx, fz_irect box,
                     uint8_t *pixels, struct guard *guard, struct err *err)
{
    fz_pixmap *pixmap = NULL;
    fz_device *device = NULL;
    fz_cookie cookie = { 0 };
    struct soft_mask_drawing masks;

    *guard = (struct guard){ .cookie = &cookie, .max_pixels = GUARD_PIXELS, .box = box };
    fz_var(pixmap);
    fz_var(device);
    fz_try(ctx)
    {
        fz_colorspace *space =
            drawing->kind <= PIXMAP_GRAY_ALPHA ? fz_device_gray(ctx) : fz_device_rgb(ctx);

        pixmap = fz_new_pixmap_with_bbox_and_data(ctx, space, box, NULL,
                                                  page_drawing_has_alpha(drawing), pixels);
        device = fz_new_draw_device(ctx, fz_identity, pixmap);
        soft_mask_push(ctx, &device, &masks);
        if (drawing->pictures_only)
            skip_all_but_pictures(ctx, &device);
        if (drawing->without_text)
            skip_known_text(ctx, &device);
        guard_push(ctx, &device, guard);
        fz_run_display_list(ctx, drawing->list, device, drawing->matrix, fz_rect_from_irect(box),
                            &cookie);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_pixmap(ctx, pixmap);
    }
    fz_catch(ctx)
    {
        if (fz_caught(ctx) == FZ_ERROR_MEMORY)
            return engine_caught(ctx, "a page", err);
    }
    guard->cookie = NULL;
    return 0;
}

int page_drawing_draw(const struct page_drawing *drawing, fz_context *ctx, int y, int rows,
                      uint8_t *pixels, struct damage *damage, struct err *err)
{
    size_t stride = (size_t) drawing->width * (size_t) drawing->kind;
    int most = rows, done = 0;
    struct guard guard;

    damage_begin(ctx);
    effort_begin(
        fmax((double) rows / drawing->height, (double) drawing->width * rows / PAGE_PIXELS));
    while (done < rows) {
        int n = rows - done < most ? rows - done : most;
        fz_irect box = { drawing->x, drawing->y + y + done, drawing->x + drawing->width,
                         drawing->y + y + done + n };
        uint8_t *to = pixels + (size_t) done * stride;

        memset(to, page_drawing_has_alpha(drawing) ? 0 : 255, (size_t) n * stride);
        if (draw_rows(drawing, ctx, box, to, &guard, err) < 0)
            return -1;
        if (guard.end == GUARD_TOO_DEEP && n > LEAST_ROWS)
            most = (n + 1) / 2; /* the open groups need half as much */
        else if (guard_check(ctx, &guard, drawing->page, err) < 0)
            return -1;
        else
            done += n;
    }
    if (damage)
        damage_add(damage, &damage_state(ctx)->damage);
    return engine_check_memory(err);
}

void page_drawing_close(struct page_drawing *drawing, struct mupdf_document *doc)
{
    fz_drop_display_list(doc->ctx, drawing->list);
    drawing->list = NULL;
}
