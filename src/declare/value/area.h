/* area: a rectangle on a page, as a client writes it: "x,y,width,height". */
#pragma once

#include "base/err.h"

#define AREA_LEAST 10.0    /* least length of a side in points */
#define AREA_MOST  14400.0 /* limit of a side, and of its distance from the corner */

/* In points from the top left corner of the displayed page, y downwards. */
struct area_param {
    double x, y, width, height;
};

/* Parses four numbers with commas between them. ERR_INVALID_PARAMETER with the field `name`. */
int area_parse(const char *name, const char *text, struct area_param *area, struct err *err);
