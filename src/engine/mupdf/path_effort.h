/*
 * path_effort: estimates the work (base/effort.h) of filling and stroking paths. MuPDF's rasteriser
 * intersects every edge with several scan lines for each row of pixels, and visits every pixel of a
 * shape's bounds.
 */
#pragma once

#include <mupdf/fitz.h>

/* Units to fill a path of which only the part in `box` (device pixels) is drawn. `matrix` maps
 * the path to the device. */
double path_effort_fill(fz_context *ctx, const fz_path *path, fz_matrix matrix, fz_irect box);
/* Units to stroke a path. */
double path_effort_stroke(fz_context *ctx, const fz_path *path, const fz_stroke_state *stroke,
                          fz_matrix matrix, fz_irect box);
