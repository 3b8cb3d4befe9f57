/* redraw: replaces the content of a scanned page by lines where its ruling lines are, and by parts
 * of it where its pictures are. Its text is added afterwards (text_layer.h). */
#pragma once

#include <stddef.h>

#include "base/err.h"
#include "pdf/object/obj.h"

/* In points of the page as it is displayed, from its bottom left corner. */
struct redraw_box {
    float left, bottom, right, top;
};

struct redraw {
    const struct redraw_box *rules, *pictures;
    size_t n_rules, n_pictures;
    int turned; /* by how much the page must be turned clockwise to be upright */
};

/* Redraws a page. Places are those of the upright page. ERR_LIMIT_EXCEEDED when out of memory. */
int redraw_page(struct obj page, const struct redraw *what, struct err *err);
