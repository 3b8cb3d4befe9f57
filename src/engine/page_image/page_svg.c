#include "engine/page_image/page_svg.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base64.h"
#include "base/buf.h"
#include "base/effort.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "declare/tool_run/page_numbers.h"
#include "engine/mupdf/damage.h"
#include "engine/mupdf/engine.h"
#include "engine/mupdf/guard.h"
#include "engine/mupdf/hook_device.h"
#include "engine/mupdf/page_selection.h"
#include "engine/mupdf_forms/form_values.h"
#include "engine/page_image/page_drawing.h"
#include "image/encode/png_writer.h"

#define ZOOM        4 /* units of a point: shadings become pictures of 288 dpi */
#define PICTURE_DPI 200
#define MOST_PIXELS 100000000
#define KEPT_GLYPH  120 /* bytes of a glyph that is used once more */
#define TRIM_PAGES  16

struct svg_job {
    struct tool_run *run;
    const struct page_svg_options *options;
    struct mupdf_document doc;
    struct page_selection selection;
    struct damage_report damaged;
    struct buf pictures, shaded; /* lists of pages */
};

/* A page, and what of it cannot be said in SVG. */
struct svg_page {
    fz_page *page;
    fz_rect bounds;
    bool blended; /* it has blend modes or soft masks */
    bool shaded;
};

static void note_group(fz_context *ctx, fz_device *device, fz_rect area, fz_colorspace *space,
                       int isolated, int knockout, int blend, float alpha)
{
    struct svg_page *page = hook_device_arg(device);

    page->blended |= blend != FZ_BLEND_NORMAL || knockout;
    fz_begin_group(ctx, hook_device_next(device), area, space, isolated, knockout, blend, alpha);
}

static void note_mask(fz_context *ctx, fz_device *device, fz_rect area, int luminosity,
                      fz_colorspace *space, const float *color, fz_color_params params)
{
    ((struct svg_page *) hook_device_arg(device))->blended = true;
    fz_begin_mask(ctx, hook_device_next(device), area, luminosity, space, color, params);
}

static void note_shade(fz_context *ctx, fz_device *device, fz_shade *shade, fz_matrix matrix,
                       float alpha, fz_color_params params)
{
    ((struct svg_page *) hook_device_arg(device))->shaded = true;
    fz_fill_shade(ctx, hook_device_next(device), shade, matrix, alpha, params);
}

/* The SVG device writes names of layers and fonts as they are in the document, also where they
 * would end an attribute. */
static void skip_layer(fz_context *ctx, fz_device *device, const char *name)
{
    (void) ctx, (void) device, (void) name;
}

static void skip_layer_end(fz_context *ctx, fz_device *device)
{
    (void) ctx, (void) device;
}

static void clean_names(const fz_text *text)
{
    for (const fz_text_span *span = text->head; span; span = span->next)
        for (char *c = span->font->name; *c; c++)
            if (*c < ' ' || *c > '~' || strchr("\"'<>&", *c))
                *c = '_';
}

static void fill_clean(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix matrix,
                       fz_colorspace *space, const float *color, float alpha,
                       fz_color_params params)
{
    clean_names(text);
    fz_fill_text(ctx, hook_device_next(device), text, matrix, space, color, alpha, params);
}

static void stroke_clean(fz_context *ctx, fz_device *device, const fz_text *text,
                         const fz_stroke_state *stroke, fz_matrix matrix, fz_colorspace *space,
                         const float *color, float alpha, fz_color_params params)
{
    clean_names(text);
    fz_stroke_text(ctx, hook_device_next(device), text, stroke, matrix, space, color, alpha,
                   params);
}

static void clip_clean(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix matrix,
                       fz_rect scissor)
{
    clean_names(text);
    fz_clip_text(ctx, hook_device_next(device), text, matrix, scissor);
}

static void clip_stroke_clean(fz_context *ctx, fz_device *device, const fz_text *text,
                              const fz_stroke_state *stroke, fz_matrix matrix, fz_rect scissor)
{
    clean_names(text);
    fz_clip_stroke_text(ctx, hook_device_next(device), text, stroke, matrix, scissor);
}

static void ignore_clean(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix matrix)
{
    clean_names(text);
    fz_ignore_text(ctx, hook_device_next(device), text, matrix);
}

static void push_hooks(fz_context *ctx, fz_device **device, struct svg_page *page)
{
    fz_device *hook = &hook_device_push(ctx, device, page)->super;

    hook->begin_group = note_group;
    hook->begin_mask = note_mask;
    hook->fill_shade = note_shade;
    hook->begin_layer = skip_layer;
    hook->end_layer = skip_layer_end;
    hook->fill_text = fill_clean;
    hook->stroke_text = stroke_clean;
    hook->clip_text = clip_clean;
    hook->clip_stroke_text = clip_stroke_clean;
    hook->ignore_text = ignore_clean;
}

static int load_svg_page(struct svg_job *job, size_t number, struct svg_page *page, struct err *err)
{
    fz_context *ctx = job->doc.ctx;

    page->bounds = (fz_rect){ 0, 0, 612, 792 };
    fz_try(ctx)
    {
        page->page = form_values_load_page(ctx, job->doc.pdf, (int) number, NULL);
        page->bounds = fz_bound_page(ctx, page->page);
    }
    fz_catch(ctx)
    {
        engine_caught(ctx, "a page", err);
        if (err->code == ERR_LIMIT_EXCEEDED)
            return -1;
    }
    return 0;
}

/* Writes the page to `buffer`. What was written before an error stays. False: there was one. */
static bool run_svg_page(struct svg_job *job, struct svg_page *page, fz_buffer *buffer,
                         struct guard *guard)
{
    fz_context *ctx = job->doc.ctx;
    fz_matrix matrix =
        fz_concat(fz_translate(-page->bounds.x0, -page->bounds.y0), fz_scale(ZOOM, ZOOM));
    float width = page->bounds.x1 - page->bounds.x0, height = page->bounds.y1 - page->bounds.y0;
    fz_cookie cookie = { 0 };
    fz_device *device = NULL;
    fz_output *out = NULL;
    bool sound = true;

    *guard =
        (struct guard){ .cookie = &cookie, .max_pixels = GUARD_PIXELS, .kept_glyph = KEPT_GLYPH };
    fz_var(device);
    fz_var(out);
    fz_var(sound);
    fz_try(ctx)
    {
        out = fz_new_output_with_buffer(ctx, buffer);
        device =
            fz_new_svg_device(ctx, out, width * ZOOM, height * ZOOM,
                              job->options->text ? FZ_SVG_TEXT_AS_TEXT : FZ_SVG_TEXT_AS_PATH, 1);
        push_hooks(ctx, &device, page);
        guard_push(ctx, &device, guard);
        fz_run_page_contents(ctx, page->page, device, matrix, &cookie);
        if (job->options->annotations) {
            fz_run_page_annots(ctx, page->page, device, matrix, &cookie);
            fz_run_page_widgets(ctx, page->page, device, matrix, &cookie);
        }
        fz_close_device(ctx, device);
        fz_close_output(ctx, out);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, device);
        fz_drop_output(ctx, out);
    }
    fz_catch(ctx)
    {
        sound = false;
    }
    guard->cookie = NULL;
    return sound && cookie.errors == 0;
}

static void begin_svg(const struct svg_page *page, int zoom, struct buf *out)
{
    double width = (double) page->bounds.x1 - page->bounds.x0;
    double height = (double) page->bounds.y1 - page->bounds.y0;

    buf_printf(out,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" "
               "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" width=\"%gpt\" "
               "height=\"%gpt\" viewBox=\"0 0 %g %g\">\n",
               width, height, width * zoom, height * zoom);
}

static bool is_web_address(const char *uri)
{
    return strncasecmp(uri, "http://", 7) == 0 || strncasecmp(uri, "https://", 8) == 0 ||
           strncasecmp(uri, "mailto:", 7) == 0;
}

/* Places that can be pressed, above everything else. Links within the document lead to nothing in a
 * file of one page. */
static void put_links(struct svg_job *job, const struct svg_page *page, int zoom, struct buf *out)
{
    fz_context *ctx = job->doc.ctx;
    fz_link *links = NULL;

    fz_var(links);
    fz_try(ctx)
    {
        links = fz_load_links(ctx, page->page);
        for (const fz_link *link = links; link; link = link->next) {
            if (!link->uri || !is_web_address(link->uri))
                continue;
            buf_puts(out, "<a xlink:href=\"");
            for (const char *c = link->uri; *c; c++)
                if ((unsigned char) *c > ' ' && *c != 0x7f)
                    buf_put_markup(out, *c);
            buf_printf(out,
                       "\"><rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"none\" "
                       "pointer-events=\"all\"/></a>\n",
                       (double) (link->rect.x0 - page->bounds.x0) * zoom,
                       (double) (link->rect.y0 - page->bounds.y0) * zoom,
                       (double) (link->rect.x1 - link->rect.x0) * zoom,
                       (double) (link->rect.y1 - link->rect.y0) * zoom);
        }
    }
    fz_always(ctx)
    {
        fz_drop_link(ctx, links);
    }
    fz_catch(ctx)
    {
        damage_note(ctx, DAMAGE_CONTENT, 0);
    }
}

/* Copies what the device wrote without its own head and end. */
static void put_drawn(fz_buffer *buffer, struct buf *out)
{
    static const char end[] = "</svg>";
    const char *text = (const char *) buffer->data, *from, *to;
    size_t n = buffer->len;

    from = n ? memmem(text, n, "<svg ", 5) : NULL;
    from = from ? memchr(from, '>', n - (size_t) (from - text)) : NULL;
    if (!from)
        return;
    to = memrchr(text, '/', n);
    if (to && to > from && (size_t) (to - text) + sizeof end - 2 <= n &&
        memcmp(to - 1, end, sizeof end - 1) == 0)
        buf_put(out, from + 1, (size_t) (to - 1 - (from + 1)));
    else
        buf_put(out, from + 1, n - (size_t) (from + 1 - text));
}

static int draw_vectors(struct svg_job *job, size_t number, struct svg_page *page, bool *sound,
                        struct buf *out, struct err *err)
{
    fz_context *ctx = job->doc.ctx;
    struct guard guard = { 0 };
    fz_buffer *buffer = NULL;

    *sound = true;
    begin_svg(page, ZOOM, out);
    if (page->page) {
        fz_var(buffer);
        fz_try(ctx)
        {
            buffer = fz_new_buffer(ctx, 65536);
        }
        fz_catch(ctx)
        {
            return engine_caught(ctx, "a page", err);
        }
        *sound = run_svg_page(job, page, buffer, &guard);
        put_drawn(buffer, out);
        fz_drop_buffer(ctx, buffer);
        put_links(job, page, ZOOM, out);
    }
    buf_puts(out, "</svg>\n");
    if (guard_check(ctx, &guard, number, err) < 0)
        return -1;
    return *sound ? 0 : engine_check_memory(err);
}

static int put_png(const struct page_drawing *drawing, fz_context *ctx, struct buf *png,
                   struct damage *damage, struct err *err)
{
    AUTO_PNG_WRITER struct png_writer *writer = png_writer_new(err);
    size_t stride = (size_t) drawing->width * drawing->kind;
    AUTO_FREE uint8_t *pixels = malloc(stride * (size_t) drawing->height);
    struct pixmap pixmap = { .width = (uint32_t) drawing->width,
                             .height = (uint32_t) drawing->height,
                             .stride = stride,
                             .kind = drawing->kind,
                             .samples = pixels };

    if (!writer)
        return -1;
    if (!pixels)
        return engine_no_memory(err);
    if (page_drawing_draw(drawing, ctx, 0, drawing->height, pixels, damage, err) < 0)
        return -1;
    return png_writer_write(writer, &pixmap, PICTURE_DPI, false, sink_buf(png), err);
}

/* The page as a picture in a file of its size. */
static int draw_as_picture(struct svg_job *job, size_t number, const struct svg_page *page,
                           struct damage *damage, struct buf *out, struct err *err)
{
    const struct page_drawing_options options = { .dpi = PICTURE_DPI,
                                                  .kind = PIXMAP_RGB,
                                                  .annotations = job->options->annotations,
                                                  .max_pixels = MOST_PIXELS,
                                                  .max_side = PNG_MAX_SIDE };
    struct page_drawing drawing = { 0 };
    AUTO_BUF struct buf png = BUF_EMPTY;
    int done;

    if (page_drawing_open(&drawing, &job->doc, number, &options, err) < 0)
        return -1;
    *damage = drawing.damage;
    done = put_png(&drawing, job->doc.ctx, &png, damage, err);
    page_drawing_close(&drawing, &job->doc);
    if (done < 0)
        return -1;
    out->len = 0;
    begin_svg(page, 1, out);
    buf_printf(out,
               "<image x=\"0\" y=\"0\" width=\"%g\" height=\"%g\" xlink:href=\"data:image/png;"
               "base64,",
               (double) page->bounds.x1 - (double) page->bounds.x0,
               (double) page->bounds.y1 - (double) page->bounds.y0);
    base64_put(png.data, png.len, out);
    buf_puts(out, "\"/>\n");
    put_links(job, page, 1, out);
    buf_puts(out, "</svg>\n");
    return png.failed ? engine_no_memory(err) : 0;
}

static void list_number(struct buf *list, size_t number)
{
    buf_printf(list, "%s%zu", list->len ? "," : "", number + 1);
}

static int make_svg(struct svg_job *job, size_t number, struct buf *out, struct err *err)
{
    struct svg_page page = { 0 };
    struct damage damage;
    char words[DAMAGE_WORDS];
    bool sound = true;
    int done;

    effort_begin(1);
    damage_begin(job->doc.ctx);
    done = load_svg_page(job, number, &page, err);
    if (done == 0)
        done = draw_vectors(job, number, &page, &sound, out, err);
    damage = damage_state(job->doc.ctx)->damage;
    if (done == 0 && page.blended) {
        list_number(&job->pictures, number);
        done = draw_as_picture(job, number, &page, &damage, out, err);
    } else if (page.shaded) {
        list_number(&job->shaded, number);
    }
    fz_drop_page(job->doc.ctx, page.page);
    damage_words(&damage, words);
    if (!sound || !page.page || damage.n > 0)
        damage_report_add(&job->damaged, number, words);
    return done;
}

static int write_svg(struct svg_job *job, size_t number, const struct buf *svg, struct err *err)
{
    AUTO_CLOSE int fd = open(tool_part(job->run), O_WRONLY | O_TRUNC | O_CLOEXEC);
    char name[300];

    if (svg->failed)
        return engine_no_memory(err);
    if (fd < 0)
        return err_sys(err, "scratch file");
    if (fdio_write(fd, svg->data, svg->len, err) < 0)
        return -1;
    page_selection_name(&job->selection, job->run->stem, number, "svg", name, sizeof name);
    return tool_part_done(job->run, name, 0, err);
}

static int draw_all(struct svg_job *job, struct err *err)
{
    for (size_t i = 0; i < job->selection.n; i++) {
        AUTO_BUF struct buf svg = BUF_EMPTY;

        if (make_svg(job, job->selection.pages[i], &svg, err) < 0 ||
            write_svg(job, job->selection.pages[i], &svg, err) < 0)
            return -1;
        tool_progress(job->run, (double) (i + 1) / (double) job->selection.n);
        if (i % TRIM_PAGES == TRIM_PAGES - 1)
            mupdf_document_trim(&job->doc);
    }
    mupdf_document_warn(&job->doc);
    damage_report_warn(&job->damaged, job->run, "what can be read of it is shown");
    if (job->pictures.len)
        tool_warn(job->run, "drawn_as_picture",
                  "pages have blend modes or soft masks, which viewers of SVG do not draw alike, "
                  "and became pictures: pages %s",
                  PAGE_NUMBERS(buf_text(&job->pictures), 121));
    if (job->shaded.len)
        tool_warn(job->run, "shading_as_picture", "shadings became pictures: pages %s",
                  PAGE_NUMBERS(buf_text(&job->shaded), 121));
    return tool_parts_done(job->run, err);
}

int page_svg_draw(struct tool_run *run, const struct page_svg_options *options, struct err *err)
{
    struct svg_job job = { .run = run, .options = options };
    int done = -1;

    if (mupdf_document_open(&job.doc, run->inputs[0].path, options->password, run, err) == 0 &&
        page_selection_open(&job.selection, &job.doc, options->pages, err) == 0)
        done = draw_all(&job, err);
    buf_free(&job.pictures);
    buf_free(&job.shaded);
    page_selection_free(&job.selection);
    mupdf_document_close(&job.doc);
    return done;
}
