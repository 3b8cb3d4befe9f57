/* letters: text on a content that a test makes: letters half as wide as they are high. */
#pragma once

#include <stdlib.h>

#include "layout/page/page_content.h"

static const struct page_font font = { .source = "Test", .family = "Test" };

static inline void put_letters(struct page_content *content, float x, float base, float size,
                               const char *text)
{
    for (size_t i = 0; text[i]; i++, x += size / 2) {
        size_t n = content->n_glyphs;

        if ((n & (n - 1)) == 0) /* the capacity is the next power of two */
            content->glyphs = realloc(content->glyphs, (n ? 2 * n : 1) * sizeof *content->glyphs);
        content->glyphs[content->n_glyphs++] = (struct glyph){
            .code = (unsigned char) text[i],
            .x0 = x,
            .x1 = x + size / 2,
            .base = base,
            .size = size,
            .flags = (uint16_t) ((i == 0 ? GLYPH_FIRST : 0) | (text[i] == ' ' ? GLYPH_SPACE : 0))
        };
    }
}
