/* strokes: measures how thick the strokes of words are, from which weight and kind of their font
 * show. */
#pragma once

#include "engine/ocr/prepare.h"

/* Sets stem and bar of all words of the page, whose places are those of the level picture that was
 * prepared. They stay 0 where there is no ink, or no memory. */
void strokes_measure(const struct prepared *prepared, struct layer_page *page);
