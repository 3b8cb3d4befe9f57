#include "layout/page/letter_spacing.h"

#include <math.h>
#include <string.h>

#define LETTERS 6 /* of a line, at least, all of them apart */
/* Sizes between two letters, at least: within words of text there is nearly nothing. */
#define APART   0.15F
#define FAR     1.1F /* and at most */
#define WORDS   1.5F /* times the least of these: what is further apart is another word */
#define LONGEST 400  /* glyphs of a line */

/* Letters of any script that is written so; no digits, which stand in columns. */
static bool is_spaced_letter(uint32_t c)
{
    return (c | 0x20) - 'a' < 26 || (c >= 0xc0 && c < 0x530 && c != 0xd7 && c != 0xf7);
}

static bool is_next_letter(const struct glyph *a, const struct glyph *b)
{
    float gap = b->x0 - a->x1;

    return is_spaced_letter(b->code) && b->font == a->font &&
           !((a->flags | b->flags) & GLYPH_ROTATED) && fabsf(a->base - b->base) < 0.05F * a->size &&
           fabsf(a->size - b->size) < 0.05F * a->size && gap > APART * a->size &&
           gap < FAR * a->size * WORDS;
}

/* The letters of one line from `first` on that are apart; how many. `end`: after the last one. */
static size_t find_spaced(const struct page_content *content, size_t first, size_t *letters,
                          size_t *end)
{
    size_t n = 1;

    letters[0] = first;
    for (size_t i = first + 1; i < content->n_glyphs && n < LONGEST; i++) {
        const struct glyph *glyph = &content->glyphs[i];

        if (glyph->flags & GLYPH_SPACE && fabsf(glyph->base - content->glyphs[first].base) < 1)
            continue;
        if (!is_next_letter(&content->glyphs[letters[n - 1]], glyph))
            break;
        letters[n++] = i;
    }
    *end = letters[n - 1] + 1;
    return n;
}

/* A letter after another at once is a word of text, which the one before does not belong to. */
static bool is_text(const struct page_content *content, size_t first, size_t end)
{
    const struct glyph *a = &content->glyphs[first], *b = &content->glyphs[end - 1];

    return (first > 0 && a[-1].x1 > a->x0 - APART * a->size && a[-1].x0 < a->x0 &&
            fabsf(a[-1].base - a->base) < 1 && !(a[-1].flags & GLYPH_SPACE)) ||
           (end < content->n_glyphs && b[1].x0 < b->x1 + APART * b->size && b[1].x0 > b->x0 &&
            fabsf(b[1].base - b->base) < 1 && is_spaced_letter(b[1].code));
}

/* Marks what is between two letters of a word as taken away (code 0), and lets the first reach to
 * the second. */
static void join_letters(struct page_content *content, const size_t *letters, size_t n)
{
    float least = INFINITY;

    for (size_t i = 0; i + 1 < n; i++)
        least = fminf(least, content->glyphs[letters[i + 1]].x0 - content->glyphs[letters[i]].x1);
    for (size_t i = 0; i + 1 < n; i++) {
        struct glyph *a = &content->glyphs[letters[i]], *b = &content->glyphs[letters[i + 1]];

        if (b->x0 - a->x1 > fmaxf(WORDS * least, least + APART * a->size))
            continue;
        for (struct glyph *between = a + 1; between < b; between++)
            between->code = 0;
        a->x1 = b->x0;
    }
}

void letter_spacing_join(struct page_content *content)
{
    size_t letters[LONGEST], kept = 0;
    bool found = false;

    for (size_t i = 0; i < content->n_glyphs;) {
        size_t end = i + 1;
        size_t n =
            is_spaced_letter(content->glyphs[i].code) ? find_spaced(content, i, letters, &end) : 0;

        if (n >= LETTERS && !is_text(content, i, end)) {
            join_letters(content, letters, n);
            found = true;
        }
        i = end;
    }
    for (size_t i = 0; found && i < content->n_glyphs; i++)
        if (content->glyphs[i].code != 0 || !(content->glyphs[i].flags & GLYPH_SPACE))
            content->glyphs[kept++] = content->glyphs[i];
    if (found)
        content->n_glyphs = kept;
}
