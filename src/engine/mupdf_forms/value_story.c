#include "engine/mupdf_forms/value_story.h"

#include <math.h>
#include <string.h>

#include "base/effort.h"
#include "engine/mupdf_forms/form_widget.h"

#define MOST      12.0F /* points: automatic size of text in several lines begins here */
#define LEAST     4.0F  /* points: automatic size ends here */
#define HIGH      1e5F  /* points: height of a column without end */
#define HANG      0.15  /* in font sizes: how much a line that extends below its field is lifted */
#define SHRINK    0.93  /* factor from one try to the next for a line that is too long */
#define AUTO_LINE 0.62  /* in field heights: automatic size of a single line */

/* Units of effort (base/effort.h). */
#define STORY 1.5e6
#define BYTE  3000.0 /* a byte of its text */

/* The picture while it is being drawn. */
struct picture {
    const struct field_text *text;
    pdf_obj *resources;
    fz_buffer *content;
    fz_device *device;
};

static void put_escaped(fz_context *ctx, fz_buffer *out, const char *utf8, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (utf8[i] == '&')
            fz_append_string(ctx, out, "&amp;");
        else if (utf8[i] == '<')
            fz_append_string(ctx, out, "&lt;");
        else
            fz_append_byte(ctx, out, (unsigned char) utf8[i]);
    }
}

static void put_paragraphs(fz_context *ctx, fz_buffer *out, int across, const char *utf8, size_t n)
{
    static const char *const along[] = { "left", "center", "right" };

    across = across >= 0 && across <= 2 ? across : 0;
    for (size_t at = 0; at <= n;) {
        size_t length = field_text_paragraph(utf8, n, at);
        bool right = field_text_begins_right(utf8 + at, length);

        /* MuPDF's left is the side where the paragraph begins. */
        fz_append_printf(ctx, out, "<p dir=\"%s\" style=\"text-align:%s\">", right ? "rtl" : "ltr",
                         along[right ? 2 - across : across]);
        put_escaped(ctx, out, length > 0 ? utf8 + at : "\xC2\xA0", length > 0 ? length : 2);
        fz_append_string(ctx, out, "</p>");
        at += length + 1;
    }
}

/* How to lay out a text, from the top left corner of a column. */
struct column {
    float size, width; /* points */
    int across;        /* quadding */
    bool lines;        /* break lines to the width */
};

static fz_story *lay_out(fz_context *ctx, const struct field_text *text, const char *utf8, size_t n,
                         const struct column *column, fz_rect *filled)
{
    const char *like = text->font->name;
    fz_buffer *html;
    fz_story *story = NULL;
    char css[200];

    fz_var(story);
    if (!effort_spend(STORY + BYTE * (double) n))
        fz_throw(ctx, FZ_ERROR_GENERIC, "the job has no effort left for it");
    html = fz_new_buffer(ctx, n + 200);
    snprintf(css, sizeof css,
             "body{font-family:%s;font-weight:%s;color:#%06x;margin:0}"
             "p{margin:0;white-space:%s;line-height:1.15}",
             *like == 'T'   ? "serif"
             : *like == 'C' ? "monospace"
                            : "sans-serif",
             strstr(like, "Bold") ? "bold" : "normal", text->rgb,
             column->lines ? "pre-wrap" : "pre");
    fz_try(ctx)
    {
        fz_rect where = { 0, 0, column->width, HIGH };

        put_paragraphs(ctx, html, column->across, utf8, n);
        story = fz_new_story(ctx, html, css, column->size, NULL);
        fz_place_story(ctx, story, where, filled);
    }
    fz_always(ctx)
    {
        fz_drop_buffer(ctx, html);
    }
    fz_catch(ctx)
    {
        fz_drop_story(ctx, story);
        fz_rethrow(ctx);
    }
    return story;
}

/* Measures the text when it is drawn. */
struct gauge {
    fz_device super; /* must be the first member */
    float left, right, bottom;
};

static void gauge_text(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                       fz_colorspace *space, const float *color, float alpha,
                       fz_color_params params)
{
    struct gauge *gauge = (struct gauge *) device;
    fz_rect box = fz_bound_text(ctx, text, NULL, ctm);

    (void) space, (void) color, (void) alpha, (void) params;
    gauge->bottom = fmaxf(gauge->bottom, box.y1);
    for (const fz_text_span *span = text->head; span; span = span->next)
        for (int i = 0; i < span->len; i++) {
            float left = span->items[i].x, size = fz_matrix_expansion(span->trm), wide;

            if (span->items[i].gid < 0)
                continue;
            wide = fz_advance_glyph(ctx, span->font, span->items[i].gid, 0) * size;
            gauge->left = fminf(gauge->left, left);
            gauge->right = fmaxf(gauge->right, left + wide);
        }
}

/* The width of a line, and how far its ink extends below its top, in points. */
struct extent {
    double width, bottom;
};

static struct extent measure_text(fz_context *ctx, const struct field_text *text, const char *utf8,
                                  size_t n, double size)
{
    struct column column = { .size = (float) size, .width = (float) field_text_room(text) };
    fz_rect filled;
    fz_story *story = lay_out(ctx, text, utf8, n, &column, &filled);
    struct gauge *gauge = NULL;
    struct extent extent = { 0, 0 };

    fz_var(gauge);
    fz_try(ctx)
    {
        gauge = fz_new_derived_device(ctx, struct gauge);
        gauge->left = INFINITY;
        gauge->right = -INFINITY;
        gauge->super.fill_text = gauge_text;
        fz_draw_story(ctx, story, &gauge->super, fz_identity);
        fz_close_device(ctx, &gauge->super);
        extent.bottom = gauge->bottom;
        extent.width = gauge->right > gauge->left ? gauge->right - gauge->left : 0;
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, gauge ? &gauge->super : NULL);
        fz_drop_story(ctx, story);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
    return extent;
}

/* The height of a text with broken lines. */
static double height_of(fz_context *ctx, const struct field_text *text, const char *utf8, size_t n,
                        float size)
{
    struct column column = { .size = size, .width = (float) field_text_room(text), .lines = true };
    fz_rect filled = fz_empty_rect;

    fz_drop_story(ctx, lay_out(ctx, text, utf8, n, &column, &filled));
    return filled.y1 - filled.y0;
}

/* Draws a column with its top left corner at x, y, in points from the field's lower left corner. */
static void put_column(fz_context *ctx, struct picture *picture, const char *utf8, size_t n,
                       const struct column *column, double x, double y)
{
    fz_rect filled;
    fz_story *story = lay_out(ctx, picture->text, utf8, n, column, &filled);

    fz_try(ctx)
    {
        fz_draw_story(ctx, story, picture->device,
                      fz_make_matrix(1, 0, 0, -1, (float) x, (float) y));
    }
    fz_always(ctx)
    {
        fz_drop_story(ctx, story);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

/* The distance of a line's baseline from its top. */
static double baseline_of(fz_context *ctx, const struct field_text *text, double size)
{
    return measure_text(ctx, text, "H", 1, size).bottom;
}

static void put_story_line(fz_context *ctx, struct picture *picture, const char *utf8, size_t n)
{
    const struct field_text *text = picture->text;
    double size = text->size > 0 ? field_text_line_size(text) : text->height * AUTO_LINE;
    struct column column = { .width = (float) field_text_room(text), .across = text->across };
    struct extent extent = measure_text(ctx, text, utf8, n, size);
    double scale =
        text->size <= 0 && extent.width > column.width ? column.width / extent.width * 0.999 : 1;
    double top, hang;

    size *= scale;
    column.size = (float) size;
    top = text->height / 2 - size * 0.36 + baseline_of(ctx, text, size);
    hang = text->edge - (top - extent.bottom * scale);
    top += fmin(fmax(hang, 0), size * HANG);
    put_column(ctx, picture, utf8, n, &column, text->edge + FIELD_TEXT_MARGIN, top);
}

static void put_lines(fz_context *ctx, struct picture *picture, const char *utf8, size_t n)
{
    const struct field_text *text = picture->text;
    struct column column = { .width = (float) field_text_room(text),
                             .across = text->across,
                             .lines = true };
    double high = text->height - 2 * text->edge;

    column.size = text->size > 0 ? (float) field_text_line_size(text) : MOST;
    while (text->size <= 0 && column.size > LEAST &&
           height_of(ctx, text, utf8, n, column.size) > high)
        column.size -= 1;
    put_column(ctx, picture, utf8, n, &column, text->edge + FIELD_TEXT_MARGIN,
               text->height - text->edge - FIELD_TEXT_MARGIN);
}

static void put_cells(fz_context *ctx, struct picture *picture, const char *utf8, size_t n)
{
    const struct field_text *text = picture->text;
    double size = text->size > 0 ? field_text_line_size(text) : text->height * AUTO_LINE;
    double top = text->height / 2 - size * 0.36 + baseline_of(ctx, text, size);
    double cell = text->width / (double) text->cells;
    struct column column = { .size = (float) size, .width = (float) cell, .across = 1 };
    size_t count = 0, first, i = 0;
    bool right = field_text_begins_right(utf8, n);

    for (size_t at = 0; at < n && count < (size_t) text->cells;
         at = field_text_cluster(utf8, n, at))
        count++;
    first = field_text_first_cell(text, count);
    for (size_t at = 0, end; at < n && i < count; at = end, i++) {
        size_t place = first + (right ? count - 1 - i : i);

        end = field_text_cluster(utf8, n, at);
        put_column(ctx, picture, utf8 + at, end - at, &column, cell * (double) place, top);
    }
}

static void put_options(fz_context *ctx, struct picture *picture, const char *utf8, size_t n)
{
    const struct field_text *text = picture->text;
    double size = field_text_list_size(text);
    struct column column = { .size = (float) size,
                             .width = (float) field_text_room(text),
                             .across = text->across };
    double high = size * FIELD_TEXT_LEADING, top = text->height - text->edge;
    double baseline = baseline_of(ctx, text, size);
    size_t at = 0;

    for (size_t i = 0; i < text->n_options && at <= n && top > 0; i++) {
        size_t length = field_text_paragraph(utf8, n, at);

        put_column(ctx, picture, utf8 + at, length, &column, text->edge + FIELD_TEXT_MARGIN,
                   top - size * 0.95 + baseline);
        at += length + 1;
        top -= high;
    }
}

static void put_text(fz_context *ctx, struct picture *picture, const char *utf8, size_t n)
{
    const struct field_text *text = picture->text;

    if (text->n_options)
        put_options(ctx, picture, utf8, n);
    else if (text->lines)
        put_lines(ctx, picture, utf8, n);
    else if (text->cells > 0 && text->cells <= FIELD_TEXT_CELLS)
        put_cells(ctx, picture, utf8, n);
    else
        put_story_line(ctx, picture, utf8, n);
}

static void put_selection(fz_context *ctx, fz_buffer *out, const struct field_text *text)
{
    double line = field_text_list_size(text) * FIELD_TEXT_LEADING;

    fz_append_string(ctx, out, "q\n");
    for (size_t i = 0; i < text->n_options; i++)
        if (text->selected[i])
            fz_append_printf(ctx, out, FIELD_TEXT_SELECTED_OPS " 0 %g %g %g re f\n",
                             text->height - text->edge - (double) (i + 1) * line, text->width,
                             line);
    fz_append_string(ctx, out, "Q\n");
}

static void draw(fz_context *ctx, struct value_story *story, const struct field_text *text,
                 const char *utf8, size_t n)
{
    fz_rect box = { 0, 0, (float) text->width, (float) text->height };
    struct picture picture = { .text = text };

    fz_try(ctx)
    {
        picture.resources = pdf_new_dict(ctx, story->doc, 2);
        picture.content = fz_new_buffer(ctx, 1024);
        put_selection(ctx, picture.content, text);
        picture.device =
            pdf_new_pdf_device(ctx, story->doc, fz_identity, picture.resources, picture.content);
        put_text(ctx, &picture, utf8, n);
        fz_close_device(ctx, picture.device);
        story->form =
            pdf_new_xobject(ctx, story->doc, box, fz_identity, picture.resources, picture.content);
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, picture.device);
        fz_drop_buffer(ctx, picture.content);
        pdf_drop_obj(ctx, picture.resources);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static bool paint(struct field_painter *painter, const struct field_text *text, const char *utf8,
                  size_t n, size_t *number)
{
    struct value_story *story = (struct value_story *) painter;
    fz_context *ctx = story->ctx;

    *number = 0;
    fz_try(ctx)
    {
        draw(ctx, story, text, utf8, n);
    }
    fz_catch(ctx)
    {
        fz_warn(ctx, "a value is not drawn: %s", fz_caught_message(ctx));
        return false;
    }
    return true;
}

void value_story_begin(struct value_story *story, fz_context *ctx, pdf_document *doc)
{
    *story = (struct value_story){ .painter = { .draw = paint }, .ctx = ctx, .doc = doc };
}

void value_story_give(struct value_story *story, pdf_obj *annot, const struct field_widget *widget,
                      struct buf *content)
{
    fz_context *ctx = story->ctx;

    field_widget_put_picture(widget, content);
    fz_try(ctx)
    {
        form_widget_give(ctx, annot, widget, "XObject", story->form, content);
    }
    fz_always(ctx)
    {
        pdf_drop_obj(ctx, story->form);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}
