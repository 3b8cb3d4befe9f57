/* equation: writes formulas as Office Math (ECMA-376, Part 1, 22.1). */
#pragma once

#include "layout/formula/formula.h"
#include "write/docx/units.h"

/* Writes a formula within a line of text. */
void equation_put(struct buf *xml, const struct page_font *fonts, const struct formula *formula);
