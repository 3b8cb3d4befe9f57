/* styles: the cell styles of a workbook (ECMA-376, Part 1, 18.8), each stored once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "write/xlsx/value.h"

enum style_border { BORDER_TOP = 1, BORDER_LEFT = 2, BORDER_BOTTOM = 4, BORDER_RIGHT = 8 };
enum style_align { STYLE_GENERAL, STYLE_LEFT, STYLE_CENTER, STYLE_RIGHT };

struct cell_style {
    char format[VALUE_FORMAT]; /* "" for General */
    bool bold, italic, wrap;
    unsigned borders; /* bits of enum style_border */
    enum style_align align;
    uint32_t fill; /* 0xRRGGBB, or UINT32_MAX for none */
};

struct styles {
    struct cell_style *items;
    size_t n, cap;
};

/* The number of a style; a new one is added. If there is no room, the number is 0, that of a
 * cell without a style. */
size_t styles_find(struct styles *styles, const struct cell_style *style);
/* Writes the part styles.xml. */
void styles_write(const struct styles *styles, struct buf *xml);
void styles_free(struct styles *styles);
