/* matrix: transformations of the plane as PDF writes them, six operands of cm (ISO 32000-2, 8.3.4),
 * applied to points and boxes. */
#pragma once

#include <stdbool.h>

/* The inverse. False for a matrix that has none; `out` is unchanged then. */
bool matrix_invert(const double m[static 6], double out[static 6]);
/* Moves a point. */
void matrix_point(const double m[static 6], double *x, double *y);
/* The smallest box (left, bottom, right, top) around the moved box. `out` may be `box`. */
void matrix_box(const double m[static 6], const double box[static 4], double out[static 4]);
/* How much lengths grow, on average of all directions. */
double matrix_scale(const double m[static 6]);
/* How far the x axis is turned counterclockwise, as a multiple of 90 degrees: 0, 90, 180, 270. */
int matrix_turn(const double m[static 6]);
