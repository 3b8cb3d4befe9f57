#include "stamp/draw/drawing.h"

#include <cairo-pdf.h>
#include <pango/pangocairo.h>
#include <string.h>
#include <strings.h>

#include "base/scope.h"
#include "stamp/draw/surface.h"

static cairo_status_t keep_bytes(void *arg, const unsigned char *data, unsigned n)
{
    struct drawing *drawing = arg;

    buf_put(&drawing->pdf, data, n);
    return drawing->pdf.failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

/* Disables hinting: glyphs keep their designed shapes at any size, because they are scaled
 * later. */
static void set_up_fonts(struct drawing *drawing)
{
    cairo_font_options_t *options = cairo_font_options_create();

    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    pango_cairo_context_set_font_options(drawing->context, options);
    cairo_font_options_destroy(options);
    pango_cairo_context_set_resolution(drawing->context, 72);
    pango_context_set_round_glyph_positions(drawing->context, FALSE);
}

struct drawing *drawing_new(struct err *err)
{
    AUTO_DRAWING struct drawing *drawing = calloc(1, sizeof *drawing);

    if (!drawing) {
        err_set(err, ERR_LIMIT_EXCEEDED, "there is not enough memory to draw");
        return NULL;
    }
    drawing->surface = cairo_pdf_surface_create_for_stream(keep_bytes, drawing, 1, 1);
    drawing->cairo = cairo_create(drawing->surface);
    drawing->fonts = pango_cairo_font_map_new();
    drawing->context = pango_font_map_create_context(drawing->fonts);
    set_up_fonts(drawing);
    if (cairo_status(drawing->cairo) != CAIRO_STATUS_SUCCESS) {
        err_set(err, ERR_LIMIT_EXCEEDED, "there is not enough memory to draw");
        return NULL;
    }
    return scope_take_ptr(&drawing);
}

void drawing_free(struct drawing **drawing)
{
    struct drawing *d = *drawing;

    *drawing = NULL;
    if (!d)
        return;
    if (d->context)
        g_object_unref(d->context);
    if (d->fonts)
        g_object_unref(d->fonts);
    cairo_destroy(d->cairo);
    cairo_surface_destroy(d->surface);
    buf_free(&d->pdf);
    free(d);
}

static double side(double length)
{
    if (!(length > 1))
        return 1;
    return length < DRAWING_SIDE ? length : DRAWING_SIDE;
}

void drawing_page(struct drawing *drawing, double width, double height)
{
    if (drawing->n_pages++)
        cairo_show_page(drawing->cairo);
    cairo_pdf_surface_set_size(drawing->surface, side(width), side(height));
}

size_t drawing_n_pages(const struct drawing *drawing)
{
    return drawing->n_pages;
}

void drawing_set_color(struct drawing *drawing, uint32_t color)
{
    cairo_set_source_rgb(drawing->cairo, (color >> 16 & 0xff) / 255.0, (color >> 8 & 0xff) / 255.0,
                         (color & 0xff) / 255.0);
}

void drawing_fill(struct drawing *drawing, const struct drawing_box *box, uint32_t color)
{
    drawing_set_color(drawing, color);
    cairo_rectangle(drawing->cairo, box->x, box->y, box->width, box->height);
    cairo_fill(drawing->cairo);
}

void drawing_frame(struct drawing *drawing, const struct drawing_box *box, double line,
                   uint32_t color)
{
    drawing_set_color(drawing, color);
    cairo_set_line_width(drawing->cairo, line);
    cairo_rectangle(drawing->cairo, box->x + line / 2, box->y + line / 2, box->width - line,
                    box->height - line);
    cairo_stroke(drawing->cairo);
}

void drawing_clip(struct drawing *drawing, const struct drawing_box *box)
{
    cairo_save(drawing->cairo);
    cairo_rectangle(drawing->cairo, box->x, box->y, box->width, box->height);
    cairo_clip(drawing->cairo);
}

void drawing_restore(struct drawing *drawing)
{
    cairo_restore(drawing->cairo);
}

int drawing_finish(struct drawing *drawing, struct buf *out, struct err *err)
{
    cairo_status_t status;

    cairo_show_page(drawing->cairo);
    cairo_surface_finish(drawing->surface);
    status = cairo_status(drawing->cairo);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(drawing->surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        buf_put(out, buf_text(&drawing->pdf), drawing->pdf.len);
        if (out->failed)
            status = CAIRO_STATUS_NO_MEMORY;
    }
    if (status == CAIRO_STATUS_NO_MEMORY)
        return err_set(err, ERR_LIMIT_EXCEEDED, "there is not enough memory to draw");
    if (status != CAIRO_STATUS_SUCCESS)
        return err_set(err, ERR_INTERNAL, "drawing: %s", cairo_status_to_string(status));
    return 0;
}

static bool is_installed(PangoFontMap *fonts, const char *family)
{
    PangoFontFamily **families;
    char *wanted = g_utf8_casefold(family, -1);
    bool found = false;
    int n;

    pango_font_map_list_families(fonts, &families, &n);
    for (int i = 0; i < n && !found; i++) {
        char *name = g_utf8_casefold(pango_font_family_get_name(families[i]), -1);

        found = strcmp(name, wanted) == 0;
        g_free(name);
    }
    g_free(families);
    g_free(wanted);
    return found;
}

bool drawing_has_font(struct drawing *drawing, const char *font)
{
    static const char *const generic[] = { "sans", "sans-serif", "serif", "monospace", "mono" };
    PangoFontDescription *description = pango_font_description_from_string(font);
    const char *family = pango_font_description_get_family(description);
    bool found = false;

    for (size_t i = 0; family && i < COUNT(generic) && !found; i++)
        found = strcasecmp(family, generic[i]) == 0;
    if (family && !found)
        found = is_installed(drawing->fonts, family);
    pango_font_description_free(description);
    return found;
}
