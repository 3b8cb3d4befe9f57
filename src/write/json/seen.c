#include "write/json/seen.h"

#include <math.h>

#include "layout/page/vertical_text.h"

#define MIDDLE 0.38F /* sizes from the baseline that vertical writing gets to its middle */
#define SQUARE 0.01F /* sizes by which such a character's length differs from its size, at most */

static const struct reach usual = { ASCENT, DESCENT, 1 };

/* What is left of the page is turned back, and is made as large as it was. */
static struct area turn_back(const struct page_content *content, const struct area *area)
{
    struct area drawn = vertical_text_drawn(content, area), back = drawn;
    float width = content->vertical ? content->height : content->width;
    float height = content->vertical ? content->width : content->height;
    float scale = content->scale > 0 ? content->scale : 1;

    if (content->turn == 90)
        back = (struct area){ drawn.y0, width - drawn.x1, drawn.y1, width - drawn.x0 };
    else if (content->turn == 270)
        back = (struct area){ height - drawn.y1, drawn.x0, height - drawn.y0, drawn.x1 };
    return (struct area){ back.x0 / scale, back.y0 / scale, back.x1 / scale, back.y1 / scale };
}

struct area seen_area(const struct page_content *content, const struct area *area)
{
    return turn_back(content, area);
}

struct area seen_page(const struct page_content *content)
{
    return turn_back(content, &(struct area){ 0, 0, content->width, content->height });
}

bool seen_is_vertical(const struct page_content *content, const struct word *word)
{
    const struct glyph *glyph = word->glyphs;

    return content->vertical && !word->rotated &&
           fabsf(glyph->x1 - glyph->x0 - glyph->size) < SQUARE * glyph->size;
}

static const struct reach *reach_of(const struct page_content *content, const struct glyph *glyph)
{
    return glyph->reach < content->n_reaches ? &content->reaches[glyph->reach] : &usual;
}

/* That of most characters of a word: one of another font between them does not make it higher. */
static struct reach main_reach(const struct page_content *content, const struct word *word)
{
    const struct glyph *main = word->glyphs;
    size_t votes = 0;

    for (size_t i = 0; i < word->n_glyphs; i++) {
        if (votes == 0)
            main = &word->glyphs[i];
        votes += main->reach == word->glyphs[i].reach ? 1 : (size_t) -1;
    }
    return (struct reach){ .above = reach_of(content, main)->above * main->size,
                           .below = reach_of(content, main)->below * main->size };
}

static struct area box_of(const struct glyph *glyph, bool vertical, const struct reach *reach)
{
    float middle = glyph->base - MIDDLE * glyph->size, half = glyph->size / 2;

    if (vertical)
        return (struct area){ glyph->x0, middle - half, glyph->x1, middle + half };
    return (struct area){ glyph->x0, glyph->base - reach->above, glyph->x1,
                          glyph->base + reach->below };
}

/* The bounds of an area that is rotated about the corner of the page. */
static struct area rotate_area(const struct area *a, float angle)
{
    const float xs[] = { a->x0, a->x1, a->x0, a->x1 }, ys[] = { a->y0, a->y0, a->y1, a->y1 };
    struct area all = { INFINITY, INFINITY, -INFINITY, -INFINITY };

    for (int i = 0; i < 4; i++) {
        float x = xs[i] * cosf(angle) - ys[i] * sinf(angle);
        float y = xs[i] * sinf(angle) + ys[i] * cosf(angle);

        area_join(&all, &(struct area){ x, y, x, y });
    }
    return all;
}

struct area seen_word(const struct page_content *content, const struct word *word)
{
    bool vertical = seen_is_vertical(content, word);
    struct reach reach = main_reach(content, word);
    struct area all = box_of(word->glyphs, vertical, &reach);

    for (size_t i = 1; i < word->n_glyphs; i++) {
        struct area box = box_of(&word->glyphs[i], vertical, &reach);

        area_join(&all, &box);
    }
    if (word->rotated)
        all = rotate_area(&all, word->glyphs->angle);
    return turn_back(content, &all);
}

float seen_size(const struct page_content *content, const struct word *word)
{
    float scale = content->scale > 0 ? content->scale : 1;

    return word->glyphs->size * reach_of(content, word->glyphs)->tall / scale;
}

int seen_direction(const struct page_content *content, const struct word *word)
{
    int degrees = word->rotated ? (int) lroundf(word->glyphs->angle * 180 / (float) M_PI) : 0;

    if (content->vertical && !seen_is_vertical(content, word))
        degrees += 90;
    return ((degrees - content->turn) % 360 + 360) % 360;
}
