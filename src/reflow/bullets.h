/* bullets: dots and squares that are drawn before lines, as browsers do it, as the characters that
 * they look like. */
#pragma once

#include "page/sheet.h"

/* Makes glyphs of what is such of the sheet's art and fills; before its words are found. */
void bullets_find(struct sheet *sheet);
