/* surface: the state of a drawing. For src/stamp/draw/ only. */
#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include "stamp/draw/drawing.h"

struct drawing {
    struct buf pdf;
    cairo_surface_t *surface;
    cairo_t *cairo;
    PangoFontMap *fonts;
    PangoContext *context;
    size_t n_pages;
};

/* Makes 0xRRGGBB the current colour. */
void drawing_set_color(struct drawing *drawing, uint32_t color);
