#include "engine/page_image/page_survey.h"

#include <math.h>

#include "base/effort.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/guard.h"
#include "engine/mupdf_forms/form_values.h"
#include "engine/page_image/known_text.h"

struct surveyor {
    fz_device super;
    struct page_survey *survey;
    fz_rect bounds;
    double largest; /* area that the largest picture covers */
};

static size_t count(const fz_text *text)
{
    size_t n = 0;

    for (const fz_text_span *span = text->head; span; span = span->next)
        for (int i = 0; i < span->len; i++)
            n += span->items[i].ucs > ' ' && span->items[i].ucs != 0xa0;
    return n;
}

static void note_shown(fz_device *device, const fz_text *text)
{
    struct page_survey *survey = ((struct surveyor *) device)->survey;
    size_t n = count(text);

    survey->shown += n;
    if (!known_text_is(text))
        survey->unreadable += n;
}

static void survey_fill_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                             fz_colorspace *space, const float *color, float alpha,
                             fz_color_params params)
{
    (void) ctx, (void) ctm, (void) space, (void) color, (void) alpha, (void) params;
    note_shown(device, text);
}

static void survey_stroke_text(fz_context *ctx, fz_device *device, const fz_text *text,
                               const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                               const float *color, float alpha, fz_color_params params)
{
    (void) ctx, (void) stroke, (void) ctm, (void) space, (void) color, (void) alpha, (void) params;
    note_shown(device, text);
}

static void clip_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                      fz_rect scissor)
{
    (void) ctx, (void) ctm, (void) scissor;
    note_shown(device, text);
}

static void survey_ignore_text(fz_context *ctx, fz_device *device, const fz_text *text,
                               fz_matrix ctm)
{
    (void) ctx, (void) ctm;
    ((struct surveyor *) device)->survey->hidden += count(text);
}

static void note_image(fz_device *device, const fz_image *image, fz_matrix ctm)
{
    struct surveyor *s = (struct surveyor *) device;
    fz_rect place = fz_intersect_rect(fz_transform_rect(fz_unit_rect, ctm), s->bounds);
    double area = ((double) place.x1 - place.x0) * ((double) place.y1 - place.y0);
    double width = hypot(ctm.a, ctm.b), height = hypot(ctm.c, ctm.d);

    if (!(area > 0) || !(width > 0) || !(height > 0))
        return;
    s->survey->pictures += area;
    if (area <= s->largest)
        return;
    s->largest = area;
    s->survey->dpi = fmax(image->w * 72.0 / width, image->h * 72.0 / height);
}

static void fill_image(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                       float alpha, fz_color_params params)
{
    (void) ctx, (void) alpha, (void) params;
    note_image(device, image, ctm);
}

static void fill_image_mask(fz_context *ctx, fz_device *device, fz_image *image, fz_matrix ctm,
                            fz_colorspace *space, const float *color, float alpha,
                            fz_color_params params)
{
    (void) ctx, (void) space, (void) color, (void) alpha, (void) params;
    note_image(device, image, ctm);
}

static void fill_path(fz_context *ctx, fz_device *device, const fz_path *path, int even_odd,
                      fz_matrix ctm, fz_colorspace *space, const float *color, float alpha,
                      fz_color_params params)
{
    (void) ctx, (void) path, (void) even_odd, (void) ctm, (void) space, (void) color, (void) alpha;
    (void) params;
    ((struct surveyor *) device)->survey->paths = true;
}

static void stroke_path(fz_context *ctx, fz_device *device, const fz_path *path,
                        const fz_stroke_state *stroke, fz_matrix ctm, fz_colorspace *space,
                        const float *color, float alpha, fz_color_params params)
{
    (void) ctx, (void) path, (void) stroke, (void) ctm, (void) space, (void) color, (void) alpha;
    (void) params;
    ((struct surveyor *) device)->survey->paths = true;
}

static fz_device *new_surveyor(fz_context *ctx, struct page_survey *survey, fz_rect bounds)
{
    struct surveyor *s = fz_new_derived_device(ctx, struct surveyor);

    s->super.fill_text = survey_fill_text;
    s->super.stroke_text = survey_stroke_text;
    s->super.clip_text = clip_text;
    s->super.ignore_text = survey_ignore_text;
    s->super.fill_image = fill_image;
    s->super.fill_image_mask = fill_image_mask;
    s->super.fill_path = fill_path;
    s->super.stroke_path = stroke_path;
    s->survey = survey;
    s->bounds = bounds;
    return &s->super;
}

/* Runs the page through the device. False: some of it could not be read. */
static bool run_page(struct page_survey *survey, struct mupdf_document *doc, size_t number,
                     struct guard *guard, struct err *err)
{
    fz_context *ctx = doc->ctx;
    fz_page *page = NULL;
    fz_device *device = NULL;
    fz_cookie cookie = { 0 };
    bool sound = true, whole = false;
    fz_rect bounds;

    fz_var(page);
    fz_var(device);
    fz_var(sound);
    fz_try(ctx)
    {
        page = form_values_load_page(ctx, doc->pdf, (int) number, &whole);
        bounds = fz_bound_page(ctx, page);
        survey->width = (double) bounds.x1 - bounds.x0;
        survey->height = (double) bounds.y1 - bounds.y0;
        device = new_surveyor(ctx, survey, bounds);
        *guard = (struct guard){ .cookie = &cookie, .max_pixels = GUARD_PIXELS };
        guard_push(ctx, &device, guard);
        fz_run_page_contents(ctx, page, device, fz_identity, &cookie);
        fz_close_device(ctx, device);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_page(ctx, page);
    }
    fz_catch(ctx)
    {
        sound = false;
        engine_caught(ctx, "a page", err);
    }
    return sound && whole && cookie.errors == 0;
}

int page_survey_make(struct page_survey *survey, struct mupdf_document *doc, size_t number,
                     struct err *err)
{
    struct guard guard = { 0 };
    double area;

    *survey = (struct page_survey){ 0 };
    *err = (struct err){ 0 };
    effort_begin(1);
    damage_begin(doc->ctx);
    survey->unread = !run_page(survey, doc, number, &guard, err);
    if (survey->unread && err->code == ERR_LIMIT_EXCEEDED)
        return -1;
    area = survey->width * survey->height;
    survey->pictures = area > 0 ? fmin(survey->pictures / area, 1) : 0;
    return guard_check(doc->ctx, &guard, number, err);
}
