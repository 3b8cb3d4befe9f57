/* shapes: finds the ruling lines and the pictures of a scan. */
#pragma once

#include "engine/ocr/prepare.h"

/* Finds straight lines, level or upright, in the picture that was prepared, and takes them out of
 * it: Tesseract reads those next to words as letters. What there is no memory for is not found. */
void shapes_remove_rules(const struct prepared *prepared, struct page_shapes *out);
/* Drops lines that are parts of words, rather than under them. The page's places are those of the
 * picture. */
void shapes_drop_strokes(const struct layer_page *page, struct page_shapes *out);
/* Finds pictures: what is dark and large besides the words and lines, in the picture as it was
 * before its contrast was changed. Counts what is left, such as thin drawings. */
void shapes_find_pictures(const struct prepared *prepared, const struct layer_page *page,
                          struct page_shapes *out);
