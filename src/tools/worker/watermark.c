/* watermark: writes a text, or puts a picture or a page of another PDF, across pages. */
#include <math.h>
#include <string.h>

#include "base/list.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/value/page_list.h"
#include "image/heic/heic.h"
#include "pdf/content/overlay.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"
#include "pdf/object/key_map.h"
#include "pdf/object/page_view.h"
#include "pdf/pages/page_stamp.h"
#include "stamp/draw/fit.h"

#define MARGIN    24.0 /* points between a text at an edge and that edge, at most */
#define MAX_TILES 4000 /* on a page, and fewer the more sizes of pages there are, down to */
#define MIN_TILES 40

#define IMAGE_BYTES (100 << 20)
#define TEXT_ANGLE  45 /* degrees */

struct params {
    const char *text;
    const struct tool_input *image;
    int64_t imagePage;
    double imageWidth;
    double opacity;
    const char *pages;
    double rotation;
    double fontSize;
    const char *font;
    uint32_t color;
    const char *position;
    const char *layer;
    const char *inputPassword;
};

static const char *const sizes[] = { "auto", NULL };
static const char *const positions[] = {
    "center",      "top-left",      "top-center",   "top-right", "middle-left", "middle-right",
    "bottom-left", "bottom-center", "bottom-right", "tile",      NULL
};
static const char *const layers[] = { "over", "under", NULL };

static const struct param params[] = {
    TEXT(struct params, text, "What to write, in any script; line breaks are kept.", .min = 1,
         .max = 500),
    UPLOAD(struct params, image,
           "What to put on the pages in place of a text: a picture (JPEG, PNG, TIFF, WebP, GIF, "
           "BMP, HEIC or AVIF; transparency is kept) or a page of a PDF.",
           .max = IMAGE_BYTES),
    INT(struct params, imagePage, "Which page of the PDF in image.", .preset = "1", .min = 1,
        .max = PDF_DOC_PAGES),
    NUMBER(struct params, imageWidth,
           "The width of the picture in points; auto is as large as the page and the position "
           "suggest. What does not fit the page is made smaller.",
           .preset = "auto", .min = 1, .max = 20000, .choices = sizes),
    NUMBER(struct params, opacity,
           "How strong, from 0, which cannot be seen, to 1; above 1 it is read as per cent.",
           .preset = "0.3", .min = 0, .max = 100),
    PAGES(struct params, pages, "Which pages get it.", .preset = "all"),
    NUMBER(struct params, rotation,
           "Degrees by which it is turned, counterclockwise; auto is 45 for a text, 0 for a "
           "picture.",
           .preset = "auto", .min = -360, .max = 360, .choices = sizes),
    NUMBER(struct params, fontSize,
           "Points; auto is as large as the page and the position suggest. What does not fit the "
           "page is broken into lines, then made smaller.",
           .preset = "auto", .min = 1, .max = 2000, .choices = sizes),
    TEXT(struct params, font,
         "The name of a font that is installed, such as Noto Serif or DejaVu Sans Bold.", .min = 1,
         .max = 100),
    COLOR(struct params, color, "The text's colour.", .preset = "#808080"),
    CHOICE(struct params, position, "Where on the page; tile repeats it all over the page.",
           .preset = "center", .choices = positions),
    CHOICE(struct params, layer,
           "Over what is on the page, or under it, where a page's own background may hide it.",
           .preset = "over", .choices = layers),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

/* A size of page, and what is put on pages of that size. */
struct design {
    double width, height;
    struct fitted fitted;
    size_t form;
};

struct job {
    const struct params *p;
    double angle;
    struct drawing *drawing;
    struct fit *fit;
    struct key_map sizes; /* widths and heights to designs */
    struct design *designs;
    size_t n_designs, cap;
    struct page_stamp stamp; /* what is put on the pages in place of a text */
    bool shrunk;
};

static void free_job(struct job *job)
{
    page_stamp_close(&job->stamp);
    fit_free(&job->fit);
    drawing_free(&job->drawing);
    key_map_free(&job->sizes);
    free(job->designs);
}
#define AUTO_JOB __attribute__((cleanup(free_job)))

static bool is_tiled(const struct params *p)
{
    return strcmp(p->position, "tile") == 0;
}

/* Where along an edge: 0, 0.5 or 1, from the left and from the bottom. */
static void find_position(const char *position, double *x, double *y)
{
    *x = strstr(position, "left") ? 0 : strstr(position, "right") ? 1 : 0.5;
    *y = strstr(position, "bottom") ? 0 : strstr(position, "top") ? 1 : 0.5;
}

static double margin_of(const struct design *design)
{
    return fmin(MARGIN, 0.04 * fmin(design->width, design->height));
}

/* How large the text may get: across the page in the middle of it, in a corner or an edge's middle
 * a part of that, and less when there are many. */
static struct fit_room room_of(const struct job *job, const struct design *design)
{
    double side = fmin(design->width, design->height), margin = margin_of(design), x, y;
    struct fit_room room = { design->width - 2 * margin,
                             design->height - 2 * margin,
                             job->angle,
                             isnan(job->p->fontSize) ? 0 : job->p->fontSize,
                             side / 3,
                             side / 20 };

    if (room.size > 0)
        return room;
    find_position(job->p->position, &x, &y);
    if (is_tiled(job->p)) {
        room.width *= 0.3;
        room.height *= 0.3;
        room.most = side / 14;
        room.readable = side / 60;
    } else if (x != 0.5 || y != 0.5) {
        room.width *= x != 0.5 ? 0.5 : 1;
        room.height *= y != 0.5 ? 0.4 : 1;
        room.most = side / 12;
        room.readable = side / 50;
    }
    return room;
}

/* The picture as large as its place suggests, or as it is wanted. */
static void fit_image(const struct job *job, const struct design *design, struct fitted *fitted,
                      bool *shrunk)
{
    double c = fabs(cos(job->angle)), s = fabs(sin(job->angle)), margin = margin_of(design);
    double w = job->stamp.width, h = job->stamp.height, x, y;
    double fits = fmin((design->width - 2 * margin) / (w * c + h * s),
                       (design->height - 2 * margin) / (w * s + h * c));
    double wanted = job->p->imageWidth / w;

    find_position(job->p->position, &x, &y);
    if (isnan(wanted))
        wanted = fits * (is_tiled(job->p) ? 0.2 : x != 0.5 || y != 0.5 ? 0.25 : 0.6);
    *shrunk |= wanted > fits * 1.005;
    wanted = fmin(wanted, fits);
    *fitted = (struct fitted){
        .scale = wanted, .width = w * wanted, .height = h * wanted, .size = fmin(w, h) * wanted / 4
    };
}

static int add_design(struct job *job, const struct page_view *view, struct err *err)
{
    struct design design = { .width = view->width, .height = view->height };
    struct fit_room room = room_of(job, &design);

    if (!LIST_ROOM(job->designs, job->n_designs, job->cap))
        return pdf_doc_no_memory(err);
    if (job->p->image)
        fit_image(job, &design, &design.fitted, &job->shrunk);
    else if (fit_into(job->fit, &room, &design.fitted, err) < 0)
        return -1;
    job->shrunk |= !job->p->image && room.size > 0 && design.fitted.size < 0.995 * room.size;
    job->designs[job->n_designs++] = design;
    return 0;
}

/* The design for pages of that size; sizes that differ by less than a hundredth of a point are
 * equal. */
static int find_design(struct job *job, const struct page_view *view, size_t *index,
                       struct err *err)
{
    double key[2] = { round(view->width * 100), round(view->height * 100) };
    int64_t known;

    if (key_map_find(&job->sizes, key, sizeof key, &known)) {
        *index = (size_t) known;
        return 0;
    }
    *index = job->n_designs;
    key_map_put(&job->sizes, key, sizeof key, (int64_t) *index);
    return job->sizes.failed ? pdf_doc_no_memory(err) : add_design(job, view, err);
}

/* The text with its middle at x, y of what is shown. */
static struct overlay_mark mark_at(const struct job *job, const struct fitted *fitted, double x,
                                   double y)
{
    double c = cos(job->angle), s = sin(job->angle), k = fitted->scale;
    double w = fitted->width / 2, h = fitted->height / 2;

    struct overlay_mark mark = {
        fitted->page, { k * c, k * s, -k * s, k * c, x - w * c + h * s, y - w * s - h * c }
    };

    if (job->p->image) {
        mark.form = job->stamp.form;
        overlay_multiply(job->stamp.seen, mark.matrix, mark.matrix);
    }
    return mark;
}

/* The sides of the turned text. */
static void turned(const struct job *job, const struct fitted *fitted, double *w, double *h)
{
    double c = fabs(cos(job->angle)), s = fabs(sin(job->angle));

    *w = fitted->width * c + fitted->height * s;
    *h = fitted->width * s + fitted->height * c;
}

/*
 * Rows along the text's direction, every other one shifted by half, around the middle of the page;
 * marks has room for MAX_TILES.
 */
static size_t tile(const struct job *job, const struct design *d, struct overlay_mark *marks)
{
    const struct fitted *f = &d->fitted;
    double c = cos(job->angle), s = sin(job->angle), w, h;
    double across = f->width + fmax(2 * f->size, 0.25 * f->width);
    double down = f->height + 3 * f->size, reach = hypot(d->width, d->height) / 2;
    size_t most = MIN_TILES + (size_t) (MAX_TILES - MIN_TILES) * 100 / (99 + job->n_designs);
    double crowd = 4 * (reach + across) * (reach + down) / (across * down) / (double) most;
    size_t n = 0;

    if (crowd > 0.5) {
        across *= sqrt(2 * crowd);
        down *= sqrt(2 * crowd);
    }
    turned(job, f, &w, &h);
    int columns = (int) ceil(reach / across) + 1, rows = (int) ceil(reach / down) + 1;
    for (int row = -rows; row <= rows; row++) {
        for (int column = -columns; column <= columns && n < most; column++) {
            double u = (column + (row % 2 ? 0.5 : 0)) * across, v = row * down;
            double x = d->width / 2 + u * c - v * s, y = d->height / 2 + u * s + v * c;

            if (x > -w / 2 && x < d->width + w / 2 && y > -h / 2 && y < d->height + h / 2)
                marks[n++] = mark_at(job, f, x, y);
        }
    }
    return n;
}

static int compose(const struct job *job, struct overlay *overlay, struct design *d,
                   struct err *err)
{
    AUTO_FREE struct overlay_mark *marks = calloc(MAX_TILES, sizeof *marks);
    double opacity = job->p->opacity > 1 ? job->p->opacity / 100 : job->p->opacity;
    double margin = margin_of(d), x, y, w, h;
    size_t n = 1;

    if (!marks)
        return pdf_doc_no_memory(err);
    if (is_tiled(job->p)) {
        n = tile(job, d, marks);
    } else {
        find_position(job->p->position, &x, &y);
        turned(job, &d->fitted, &w, &h);
        marks[0] = mark_at(job, &d->fitted, margin + w / 2 + x * (d->width - 2 * margin - w),
                           margin + h / 2 + y * (d->height - 2 * margin - h));
    }
    return overlay_compose(overlay, d->width, d->height, opacity, marks, n, &d->form, err);
}

static int prepare_mark(struct tool_run *run, struct job *job, struct err *err)
{
    struct layout_style style = { .font = job->p->font, .bold = true, .align = LAYOUT_CENTER };

    job->drawing = drawing_new(err);
    if (!job->drawing)
        return -1;
    if (style.font && !drawing_has_font(job->drawing, style.font))
        tool_warn(run, "font_substituted", "the font is not installed: another one is used");
    job->fit = fit_new(job->drawing, job->p->text, &style, job->p->color, err);
    if (job->fit)
        return 0;
    if (!*err->field)
        snprintf(err->field, sizeof err->field, "text");
    return -1;
}

/* Designs for all sizes of pages that get one; which[i] becomes the one of page i. */
static int design_pages(struct job *job, struct pdf_doc *doc, const bool *wanted, size_t *which,
                        struct err *err)
{
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        struct page_view view;

        if (!wanted[i])
            continue;
        page_view_read(page, &view);
        if (find_design(job, &view, &which[i], err) < 0)
            return -1;
    }
    return 0;
}

static int place(struct tool_run *run, struct job *job, struct overlay *overlay,
                 struct pdf_doc *doc, const bool *wanted, const size_t *which, struct err *err)
{
    AUTO_BUF struct buf pdf = BUF_EMPTY;

    if (job->p->image
            ? page_stamp_import(&job->stamp, doc, overlay, err) < 0
            : drawing_finish(job->drawing, &pdf, err) < 0 || overlay_import(overlay, &pdf, err) < 0)
        return -1;
    for (size_t i = 0; i < job->n_designs; i++)
        if (compose(job, overlay, &job->designs[i], err) < 0)
            return -1;
    for (size_t i = 0; i < doc->n_pages; i++) {
        AUTO_OBJ struct obj page = obj_page(doc->q, i);
        struct page_view view;
        struct overlay_mark mark;

        if (!wanted[i])
            continue;
        page_view_read(page, &view);
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a wanted page has a design. */
        mark.form = job->designs[which[i]].form;
        memcpy(mark.matrix, view.matrix, sizeof mark.matrix);
        if (overlay_place(overlay, page, &mark, err) < 0)
            return -1;
        tool_progress(run, 0.1 + 0.5 * (double) i / (double) doc->n_pages);
    }
    return 0;
}

static int mark_pages(struct tool_run *run, struct job *job, struct pdf_doc *doc, struct err *err)
{
    struct overlay_style style = { .under = strcmp(job->p->layer, "under") == 0,
                                   .artifact = "/Watermark",
                                   .layer = "Watermark",
                                   .name = "/Watermark" };
    AUTO_PAGE_LIST struct page_list list = { 0 };
    AUTO_FREE bool *wanted = NULL;
    AUTO_FREE size_t *which = calloc(doc->n_pages, sizeof *which);
    AUTO_OVERLAY struct overlay *overlay = NULL;

    if (page_list_resolve(job->p->pages, doc->n_pages, &list, err) < 0)
        return -1;
    if (list.clamped)
        tool_warn(run, "page_range_clamped",
                  "the page list goes beyond the last page, which is %zu", doc->n_pages);
    wanted = page_list_map(&list, doc->n_pages, err);
    if (!which)
        return pdf_doc_no_memory(err);
    if (!wanted || design_pages(job, doc, wanted, which, err) < 0)
        return -1;
    if (job->shrunk && job->p->image)
        tool_warn(run, "picture_shrunk",
                  "with that width the picture does not fit the page: it is smaller there");
    else if (job->shrunk)
        tool_warn(run, "text_shrunk",
                  "with that font size the text does not fit the page: it is smaller there");
    overlay = overlay_new(doc->q, &style, err);
    if (!overlay || place(run, job, overlay, doc, wanted, which, err) < 0)
        return -1;
    return pdf_doc_save(doc, run->output, NULL, err);
}

static int prepare_image(struct tool_run *run, struct job *job, struct err *err)
{
    if (page_stamp_open(&job->stamp, "image", job->p->image, job->p->imagePage, run->output, err) <
        0)
        return -1;
    if (job->stamp.annotated)
        tool_warn(run, "annotations_dropped",
                  "links, fields and comments of the page in image are not part of the watermark");
    return 0;
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    AUTO_JOB struct job job = { .p = values };
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    double degrees = job.p->rotation;

    if (isnan(degrees))
        degrees = job.p->image ? 0 : TEXT_ANGLE;
    job.angle = degrees * M_PI / 180;
    if ((job.p->image ? prepare_image(run, &job, err) : prepare_mark(run, &job, err)) < 0 ||
        pdf_doc_open(&doc, run->inputs[0].path, job.p->inputPassword, run, err) < 0)
        return -1;
    unsign_document(&doc);
    if (mark_pages(run, &job, &doc, err) < 0)
        return -1;
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_watermark = {
    .name = "watermark",
    .summary = "Writes a text, or puts a picture or a PDF page, across the pages of a PDF.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .one_of = { "text", "image" },
    .rule = &rule_watermark,
    .run = run,
    .prepare = heic_prepare,
    .threads = true,
};
