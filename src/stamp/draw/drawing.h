/*
 * drawing: draws pages of text and boxes to a PDF in memory, with cairo and Pango; no other folder
 * includes their headers. All pages share their fonts, each with only the glyphs that are used.
 * Lengths are in points. The origin is the top left corner of the page, y grows downwards; colours
 * are 0xRRGGBB. Drawing functions do not fail: drawing_finish reports errors.
 *
 * A tool that draws declares .threads, because Pango starts some. Never use it in a zygote.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define DRAWING_SIDE 14400.0 /* limit of a page's sides */

struct drawing;

/* Begins a PDF without pages. ERR_LIMIT_EXCEEDED when out of memory. */
struct drawing *drawing_new(struct err *err);
void drawing_free(struct drawing **drawing);
#define AUTO_DRAWING __attribute__((cleanup(drawing_free)))

/* Starts a page. Sides are clamped to 1 to DRAWING_SIDE. */
void drawing_page(struct drawing *drawing, double width, double height);
size_t drawing_n_pages(const struct drawing *drawing);

struct drawing_box {
    double x, y, width, height;
};

void drawing_fill(struct drawing *drawing, const struct drawing_box *box, uint32_t color);
/* Draws a line of that width along the inside of the box's edge. */
void drawing_frame(struct drawing *drawing, const struct drawing_box *box, double line,
                   uint32_t color);

/* Clips drawing to the box until drawing_restore. May be nested. */
void drawing_clip(struct drawing *drawing, const struct drawing_box *box);
void drawing_restore(struct drawing *drawing);

/* Ends the drawing, which must have a page, and appends the PDF to `out`. Nothing may be drawn
 * afterwards. ERR_LIMIT_EXCEEDED when out of memory. */
int drawing_finish(struct drawing *drawing, struct buf *out, struct err *err);

/* Whether a font with that name is installed: a family in any case ("noto serif"), with or
 * without style words ("DejaVu Sans Bold"), or a generic one (serif, sans-serif, monospace). */
bool drawing_has_font(struct drawing *drawing, const char *font);
