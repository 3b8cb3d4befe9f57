/* encoding: maps the character codes that a document shows in a font to the glyphs of its
 * program (ISO 32000-2, 9.6.5 and 9.7.4). Where readers differ, the glyphs of all
 * interpretations count. */
#pragma once

#include "compress/fonts/font_need.h"
#include "compress/usage/usage.h"

/* Adds the glyphs to need->keep, and sets how they are found. False if they are not known: then
 * all are needed. */
bool encoding_glyphs(struct obj font, struct obj program, const struct usage_font *shown,
                     struct font_need *need);
