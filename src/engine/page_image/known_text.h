/* known_text: whether the characters of a text are known: not so where a font has no map to Unicode
 * and no names of glyphs that say it. */
#pragma once

#include <stdbool.h>

#include "engine/mupdf/mupdf_document.h"

/* Whether at least half of its characters are in Unicode, and not private ones. */
bool known_text_is(const fz_text *text);
