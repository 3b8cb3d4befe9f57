/*
 * page_view: how readers show a page (ISO 32000-2, 7.7.3.3 and 8.3.2.3): cut to its crop box,
 * turned, and in a unit of its own.
 */
#pragma once

#include "pdf/obj.h"

struct page_view {
    double width, height; /* as shown, in points; at least 1 */
    /* From what is shown (points from its bottom left corner, y upwards) to the coordinates of the
     * page's content: the operands of cm. */
    double matrix[6];
    int rotation;  /* clockwise: 0, 90, 180 or 270 */
    double unit;   /* points in one unit of the page's coordinates */
    double box[4]; /* what is shown, in those coordinates: left, bottom, right, top */
};

void page_view_read(struct obj page, struct page_view *view);

/* What the page has, inherited included (7.7.3.4), as 0, 90, 180 or 270; a value that is no
 * multiple of 90 counts as none, as readers take it. */
int page_view_rotation(struct obj page);

/* The value of an attribute that pages inherit; `from`, if not NULL, becomes the node it is said
 * at (the caller's too). Null if there is none. */
struct obj page_view_inherited(struct obj page, const char *key, struct obj *from);
