/*
 * drawing: pages of text and boxes that end as a PDF in memory. cairo and Pango draw; no other
 * folder includes their headers. All pages share their fonts, each of which holds only the glyphs
 * that are used.
 *
 * Lengths are points. The origin is the top left corner of the page, y grows downwards; colours are
 * 0xRRGGBB. Drawing itself does not fail: drawing_finish says if something went wrong.
 *
 * A tool that draws declares .threads: Pango starts some. Never in a zygote.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define DRAWING_SIDE 14400.0 /* of a page, at most */

struct drawing;

/* ERR_LIMIT_EXCEEDED when out of memory. */
struct drawing *drawing_new(struct err *err);
void drawing_free(struct drawing **drawing);
#define AUTO_DRAWING __attribute__((cleanup(drawing_free)))

/* The page that is drawn on from now on. Sides are taken to be 1 to DRAWING_SIDE. */
void drawing_page(struct drawing *drawing, double width, double height);
size_t drawing_n_pages(const struct drawing *drawing);

struct drawing_box {
    double x, y, width, height;
};

void drawing_fill(struct drawing *drawing, const struct drawing_box *box, uint32_t color);
/* A line of that width along the inside of the box's edge. */
void drawing_frame(struct drawing *drawing, const struct drawing_box *box, double line,
                   uint32_t color);

/* What is drawn until drawing_restore is cut off at the box. May be nested. */
void drawing_clip(struct drawing *drawing, const struct drawing_box *box);
void drawing_restore(struct drawing *drawing);

/* Ends the drawing, which must have a page, and appends the PDF to `out`. Nothing may be drawn
 * afterwards. ERR_LIMIT_EXCEEDED when out of memory. */
int drawing_finish(struct drawing *drawing, struct buf *out, struct err *err);

/* Whether a font of that name is installed: a family in any case ("noto serif"), with or without
 * words of style ("DejaVu Sans Bold"), or a generic one (serif, sans-serif, monospace). */
bool drawing_has_font(struct drawing *drawing, const char *font);
