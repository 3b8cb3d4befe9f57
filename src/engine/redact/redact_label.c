#include "engine/redact/redact_label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/scope.h"
#include "engine/mupdf/engine.h"
#include "engine/redact/redact_frame.h"

#define SIZE        100.0F /* of the font in the form */
#define MARGIN      0.12   /* of the height of a box, on each side */
#define WIDE        1e5F
#define MOST_WANTED 12.0 /* parts of the font's size */

/* Draws glyphs as paths of a content stream. */
struct pen {
    fz_device super; /* must be the first member */
    struct buf *out;
    fz_rect box;
    bool missing; /* a character has no glyph */
};

static void put_point(struct buf *out, float x, float y)
{
    redact_frame_put(out, (double) x);
    buf_putc(out, ' ');
    redact_frame_put(out, (double) y);
    buf_putc(out, ' ');
}

static void move_pen(fz_context *ctx, void *arg, float x, float y)
{
    (void) ctx;
    put_point(arg, x, y);
    buf_puts(arg, "m\n");
}

static void draw_line(fz_context *ctx, void *arg, float x, float y)
{
    (void) ctx;
    put_point(arg, x, y);
    buf_puts(arg, "l\n");
}

static void draw_curve(fz_context *ctx, void *arg, float x1, float y1, float x2, float y2, float x3,
                       float y3)
{
    (void) ctx;
    put_point(arg, x1, y1);
    put_point(arg, x2, y2);
    put_point(arg, x3, y3);
    buf_puts(arg, "c\n");
}

static void close_outline(fz_context *ctx, void *arg)
{
    (void) ctx;
    buf_puts(arg, "h\n");
}

static void draw_glyph(fz_context *ctx, struct pen *pen, fz_font *font, int gid, fz_matrix trm)
{
    static const fz_path_walker walker = { move_pen, draw_line, draw_curve, close_outline,
                                           NULL,     NULL,      NULL,       NULL };
    fz_path *path = fz_outline_glyph(ctx, font, gid, trm);

    if (!path)
        return;
    fz_try(ctx)
    {
        fz_rect box = fz_bound_path(ctx, path, NULL, fz_identity);

        if (!fz_is_empty_rect(box))
            pen->box = fz_union_rect(pen->box, box);
        fz_walk_path(ctx, path, &walker, pen->out);
    }
    fz_always(ctx)
    {
        fz_drop_path(ctx, path);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static void fill_label(fz_context *ctx, fz_device *device, const fz_text *text, fz_matrix ctm,
                       fz_colorspace *space, const float *color, float alpha,
                       fz_color_params params)
{
    struct pen *pen = (struct pen *) device;

    (void) space, (void) color, (void) alpha, (void) params;
    for (const fz_text_span *span = text->head; span; span = span->next)
        for (int i = 0; i < span->len; i++) {
            const fz_text_item *item = &span->items[i];
            fz_matrix trm = span->trm;

            pen->missing |= item->gid == 0 && item->ucs > ' ';
            if (item->gid < 0)
                continue;
            trm.e = item->x;
            trm.f = item->y;
            draw_glyph(ctx, pen, span->font, item->gid, fz_concat(trm, ctm));
        }
}

static fz_story *lay_out(fz_context *ctx, const char *text)
{
    fz_buffer *html = fz_new_buffer(ctx, strlen(text) + 40);
    fz_story *story = NULL;

    fz_var(story);
    fz_try(ctx)
    {
        fz_rect where = { 0, 0, WIDE, WIDE }, filled;

        fz_append_string(ctx, html, "<p>");
        for (const char *c = text; *c; c++) {
            if (*c == '&' || *c == '<')
                fz_append_string(ctx, html, *c == '&' ? "&amp;" : "&lt;");
            else
                fz_append_byte(ctx, html, (unsigned char) *c);
        }
        fz_append_string(ctx, html, "</p>");
        story = fz_new_story(ctx, html,
                             "body{font-family:sans-serif;margin:0}p{margin:0;white-space:pre}",
                             SIZE, NULL);
        fz_place_story(ctx, story, where, &filled);
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

static void draw_text(fz_context *ctx, const char *text, struct buf *out, fz_rect *box,
                      bool *missing)
{
    fz_story *story = lay_out(ctx, text);
    struct pen *pen = NULL;

    fz_var(pen);
    fz_try(ctx)
    {
        pen = fz_new_derived_device(ctx, struct pen);
        pen->super.fill_text = fill_label;
        pen->out = out;
        pen->box = fz_empty_rect;
        fz_draw_story(ctx, story, &pen->super, fz_make_matrix(1, 0, 0, -1, 0, 0));
        fz_close_device(ctx, &pen->super);
        *box = pen->box;
        *missing = pen->missing;
    }
    fz_always(ctx)
    {
        fz_drop_device(ctx, pen ? &pen->super : NULL);
        fz_drop_story(ctx, story);
    }
    fz_catch(ctx)
    {
        fz_rethrow(ctx);
    }
}

static int try_text(fz_context *ctx, const char *text, struct buf *out, fz_rect *box, bool *missing,
                    struct err *err)
{
    fz_try(ctx)
    {
        draw_text(ctx, text, out, box, missing);
    }
    fz_catch(ctx)
    {
        return engine_caught(ctx, "label", err);
    }
    return 0;
}

int redact_label_make(struct redact_label *label, fz_context *ctx, qpdf_data q, const char *text,
                      struct err *err)
{
    AUTO_BUF struct buf out = BUF_EMPTY;
    fz_rect box = fz_empty_rect;
    bool missing = false;
    char entry[120];

    if (try_text(ctx, text, &out, &box, &missing, err) < 0)
        return -1;
    if (missing)
        return err_field(err, ERR_INVALID_PARAMETER, "label",
                         "no font has some of the characters of the label");
    if (fz_is_empty_rect(box))
        return err_field(err, ERR_INVALID_PARAMETER, "label",
                         "the label has no character that can be seen");
    buf_puts(&out, "f\n");
    if (out.failed)
        return engine_no_memory(err);
    label->form = obj_new_stream(q, out.data, out.len);
    AUTO_OBJ struct obj dict = obj_dict(label->form);
    obj_set_name(dict, "/Type", "/XObject");
    obj_set_name(dict, "/Subtype", "/Form");
    snprintf(entry, sizeof entry, "[%.2f %.2f %.2f %.2f]", (double) box.x0, (double) box.y0,
             (double) box.x1, (double) box.y1);
    AUTO_OBJ struct obj bbox = obj_parse(q, entry);
    obj_set(dict, "/BBox", bbox);
    snprintf(entry, sizeof entry, "[1 0 0 1 %.2f %.2f]", -(double) box.x0, -(double) box.y0);
    AUTO_OBJ struct obj matrix = obj_parse(q, entry);
    obj_set(dict, "/Matrix", matrix);
    label->width = (double) (box.x1 - box.x0) / SIZE;
    label->height = (double) (box.y1 - box.y0) / SIZE;
    return 0;
}

double redact_label_wanted(const struct redact_label *label)
{
    return fmin(0.8 * label->width + 0.4, MOST_WANTED);
}

bool redact_label_fit(const struct redact_label *label, const struct redact_quad *box,
                      struct redact_matrix *m)
{
    const double *at = box->at;
    double ax = at[6] - at[4], ay = at[7] - at[5]; /* along the lower edge */
    double ux = at[0] - at[4], uy = at[1] - at[5]; /* up the left one */
    double width = hypot(ax, ay), height = hypot(ux, uy), margin = MARGIN * height, scale;

    if (!(width > 0) || !(height > 0) || width <= 2 * margin)
        return false;
    /* As large as the text around it at most. */
    scale =
        fmin((width - 2 * margin) / label->width, (height - 2 * margin) / fmax(label->height, 0.9));
    ax = ax / width * scale / SIZE;
    ay = ay / width * scale / SIZE;
    ux = ux / height * scale / SIZE;
    uy = uy / height * scale / SIZE;
    *m = (struct redact_matrix){
        { ax, ay, ux, uy, (at[2] + at[4]) / 2 - (ax * label->width + ux * label->height) * SIZE / 2,
          (at[3] + at[5]) / 2 - (ay * label->width + uy * label->height) * SIZE / 2 }
    };
    return true;
}
