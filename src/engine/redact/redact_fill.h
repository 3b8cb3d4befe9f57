/* redact_fill: draws boxes where something was removed from a page. */
#pragma once

#include "base/err.h"
#include "engine/redact/redact_shape.h"
#include "pdf/object/obj.h"

struct redact_fill {
    double gray; /* 0 black, 1 white */
};

/* Draws the areas over the content of the page, whose graphics state does not affect them. */
int redact_fill_page(struct obj page, const struct redact_area *areas, size_t n,
                     const struct redact_fill *fill, struct err *err);
