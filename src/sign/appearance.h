/* appearance: what a visible signature looks like: a box with who, when, why and where. */
#pragma once

#include "base/err.h"
#include "draw/drawing.h"

struct appearance {
    const char *name;
    const char *date;     /* as text to show */
    const char *reason;   /* NULL or "": none */
    const char *location; /* the same */
    double ratio;         /* of a picture's width to its height; 0: without a picture */
};

/* The width and height a box takes by itself, on a page that is so large: whole points. */
int appearance_measure(struct drawing *drawing, const struct appearance *appearance,
                       double page_width, double page_height, double *width, double *height,
                       struct err *err);

/*
 * Draws it on a page of its own, as large as it can be in a box of that size. Sides are whole
 * points, or the edge may be cut off. A picture is not drawn: *picture becomes where its place is,
 * above the text or, in a wide box, before it. ERR_TEXT_NOT_ENCODABLE if no font has a character.
 */
int appearance_draw(struct drawing *drawing, const struct appearance *appearance, double width,
                    double height, struct drawing_box *picture, struct err *err);
