/* encoding: from the character codes a document shows in a font to the glyphs of its program
 * (ISO 32000-2, 9.6.5 and 9.7.4). Where readers differ, the glyphs of each of their ways. */
#pragma once

#include "compress/fonts.h"

/* Adds the glyphs to need->keep, and says what they are found by. False if they cannot be told:
 * then all are needed. */
bool encoding_glyphs(struct obj font, struct obj program, const struct usage_font *shown,
                     struct font_need *need);
