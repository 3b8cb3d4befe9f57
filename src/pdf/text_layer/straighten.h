/* straighten: turns a scanned page so that its lines are level and it is upright, by how it is
 * shown: its pictures keep their data. */
#pragma once

#include "base/err.h"
#include "pdf/content/overlay.h"

/* Turns the page clockwise by 0, 90, 180 or 270 degrees, and its content about the page's centre by
 * `skew` degrees more. Annotations keep their places: the caller sees that there are none if
 * `skew` is not 0. */
int straighten_page(struct overlay *overlay, struct obj page, int turn, double skew,
                    struct err *err);
