#include "layout/page/leaders.h"

#include <math.h>

#define LEAST 5    /* least number of dots */
#define FAR   2.0F /* largest distance of two dots, in font sizes */
#define TAIL  12   /* most characters that may follow the dots */

/* How many dots a glyph shows. */
static size_t dots_of(const struct glyph *glyph)
{
    return glyph->code == '.' || glyph->code == 0xb7 ? 1 : glyph->code == 0x2026 ? 3 : 0;
}

/* Some programs draw the dots from the page number to the left. */
static bool is_next_dot(const struct glyph *dot, const struct glyph *next)
{
    float gap = next->x0 > dot->x0 ? next->x0 - dot->x1 : dot->x0 - next->x1;

    return fabsf(next->base - dot->base) < 0.05F * dot->size && next->x0 != dot->x0 &&
           gap < FAR * dot->size && next->angle == dot->angle;
}

bool *leaders_find(struct arena *arena, const struct page_content *content)
{
    bool *found = NULL;

    for (size_t i = 0, end; i < content->n_glyphs; i = end) {
        size_t n = dots_of(&content->glyphs[i]), last = i;

        end = i + 1;
        for (; n && end < content->n_glyphs; end++) {
            const struct glyph *glyph = &content->glyphs[end];

            if (glyph->flags & GLYPH_SPACE)
                continue;
            if (!dots_of(glyph) || !is_next_dot(&content->glyphs[last], glyph))
                break;
            n += dots_of(glyph);
            last = end;
        }
        if (n < LEAST)
            continue;
        if (!found)
            found = ARENA_ARRAY(arena, bool, content->n_glyphs);
        for (size_t k = i; k <= last; k++)
            found[k] = dots_of(&content->glyphs[k]) > 0;
        end = last + 1;
    }
    return found;
}

/* Finds the line's last row of dots: the words from *from up to the returned index. */
static size_t find_leader(const struct line *line, size_t *from)
{
    size_t end = line->words.n, tail = 0;

    while (end > 0 && !line->words.items[end - 1]->dots)
        tail += line->words.items[--end]->n_glyphs;
    if (end == line->words.n || tail > TAIL)
        return 0;
    *from = end;
    while (*from > 0 && line->words.items[*from - 1]->dots)
        (*from)--;
    return *from > 0 ? end : 0;
}

void leaders_remove(struct line_list *lines)
{
    for (size_t i = 0; i < lines->n; i++) {
        struct word_list *words = &lines->items[i].words;
        size_t from = 0, end = find_leader(&lines->items[i], &from);

        if (end == 0)
            continue;
        for (size_t k = from; k < end; k++)
            words->items[k]->role = ROLE_LEADER;
        words->items[end]->role = ROLE_AFTER_DOTS;
        for (size_t k = end; k < words->n; k++)
            words->items[from + k - end] = words->items[k];
        words->n -= end - from;
    }
}
