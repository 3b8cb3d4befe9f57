/* appearance: draws a visible signature: a box with signer, date, reason and place. */
#pragma once

#include "base/err.h"
#include "stamp/draw/drawing.h"

struct appearance {
    const char *name;
    const char *date;     /* as text to show */
    const char *reason;   /* NULL or "": none */
    const char *location; /* the same */
    double ratio;         /* of a picture's width to its height; 0: without a picture */
};

/* The natural width and height of a box on a page of that size: whole points. */
int appearance_measure(struct drawing *drawing, const struct appearance *appearance,
                       double page_width, double page_height, double *width, double *height,
                       struct err *err);

/*
 * Draws it on a page of its own, with text as large as fits a box of that size. The box's sides are
 * whole points, or its edge may be cut off. A picture is not drawn, but space is left for it above
 * the text, or in a wide box before it: *picture is that space. ERR_TEXT_NOT_ENCODABLE if no font
 * has a character.
 */
int appearance_draw(struct drawing *drawing, const struct appearance *appearance, double width,
                    double height, struct drawing_box *picture, struct err *err);
