/* styles: the looks that cells of a workbook have (ECMA-376, Part 1, 18.8), each once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "xlsx/value.h"

enum style_border { BORDER_TOP = 1, BORDER_LEFT = 2, BORDER_BOTTOM = 4, BORDER_RIGHT = 8 };
enum style_align { STYLE_GENERAL, STYLE_LEFT, STYLE_CENTER, STYLE_RIGHT };

struct cell_style {
    char format[VALUE_FORMAT]; /* "" for General */
    bool bold, italic, wrap;
    unsigned borders; /* of enum style_border */
    enum style_align align;
    uint32_t fill; /* 0xRRGGBB, or UINT32_MAX for none */
};

struct styles {
    struct cell_style *items;
    size_t n, cap;
};

/* The number of the style, which is kept if it is new. What there is no room for is number 0, that
 * of a cell without a style. */
size_t styles_find(struct styles *styles, const struct cell_style *style);
/* The part styles.xml. */
void styles_write(const struct styles *styles, struct buf *xml);
void styles_free(struct styles *styles);
