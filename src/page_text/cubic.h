/* Cubic Bézier curves of glyph outlines (ISO 32000-2, 8.5.2.2). */
#pragma once

#include "mupdf/mupdf_document.h"

/* The point at t, from 0 to 1, of the curve from p[0] to p[3] with the control points p[1], p[2].
 */
static inline fz_point cubic_at(const fz_point p[static 4], float t)
{
    float u = 1 - t;
    float a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;

    return fz_make_point(a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                         a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y);
}
