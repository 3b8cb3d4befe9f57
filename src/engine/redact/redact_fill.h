/* redact_fill: draws boxes where something was removed from a page. */
#pragma once

#include "base/err.h"
#include "engine/redact/redact_label.h"

struct redact_fill {
    double gray; /* 0 black, 1 white */
    /* Written into the boxes, in the other colour, where there is room; NULL: nothing. */
    const struct redact_label *label;
};

/* Draws the boxes over the content of the page, whose graphics state does not affect them. */
int redact_fill_page(struct obj page, const struct redact_quad *boxes, size_t n,
                     const struct redact_fill *fill, struct err *err);
