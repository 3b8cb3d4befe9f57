/* area: where on a page a client wants something, as the text "x,y,width,height". */
#pragma once

#include "base/err.h"

#define AREA_LEAST 10.0    /* of a side, points */
#define AREA_MOST  14400.0 /* of a side, and of how far away it is */

/* Points, from the top left corner of a page as it is displayed, y downwards. */
struct area {
    double x, y, width, height;
};

/* Reads four numbers between commas. ERR_INVALID_PARAMETER with the field `name`. */
int area_parse(const char *name, const char *text, struct area *area, struct err *err);
