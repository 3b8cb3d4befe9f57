#include "layout/page/rtl_letters.h"

#include <math.h>

#include "layout/page/bidi_order.h"
#include "layout/page/unicode.h"
#include "layout/page/words.h"

#define MOST_MARKS 8    /* of one letter */
#define NEAR       1.2F /* sizes between a mark and its letter, at most */

static bool is_mark(const struct glyph *glyph)
{
    return is_rtl(glyph->code) && bidi_is_mark(glyph->code);
}

static bool carries(const struct glyph *letter, const struct glyph *mark)
{
    float far = fmaxf(letter->x0 - mark->x1, mark->x0 - letter->x1);

    return is_rtl(letter->code) && !bidi_is_mark(letter->code) &&
           !((letter->flags ^ mark->flags) & GLYPH_ROTATED) && far < NEAR * letter->size &&
           fabsf(letter->base - mark->base) < letter->size;
}

/* A mark, or a further character of a glyph, has the place of its letter. */
static void attach(const struct glyph *letter, struct glyph *mark)
{
    mark->x0 = letter->x0;
    mark->x1 = letter->x1;
    mark->base = letter->base;
    mark->size = letter->size;
    mark->angle = letter->angle;
    mark->width = 0;
    mark->flags = (uint16_t) ((mark->flags & ~GLYPH_FIRST) | GLYPH_MORE);
}

/* The n marks from `marks` on, which were drawn from left to right before their letter, go after
 * it, in the order in which they are read. */
static void put_after(struct glyph *marks, size_t n, size_t n_letter)
{
    struct glyph kept[MOST_MARKS];
    uint16_t first = marks->flags & GLYPH_FIRST;

    for (size_t i = 0; i < n; i++)
        kept[i] = marks[i];
    for (size_t i = 0; i < n_letter; i++)
        marks[i] = marks[n + i];
    marks->flags |= first;
    /* Those of one glyph are in the order in which they are read. */
    for (size_t end = n, at = n_letter; end > 0;) {
        size_t from = end - 1;

        while (from > 0 && kept[from].flags & GLYPH_MORE)
            from--;
        for (size_t i = from; i < end; i++, at++) {
            marks[at] = kept[i];
            attach(marks, &marks[at]);
        }
        end = from;
    }
}

/* Joins the marks from index `at` on with their letter; the index after both. */
static size_t join_marks(struct page_content *content, size_t at)
{
    struct glyph *marks = &content->glyphs[at];
    size_t n = 1, n_letter = 1, rest = content->n_glyphs - at, letter = at;
    bool before, after;

    while (n < rest && n < MOST_MARKS && is_mark(&marks[n]))
        n++;
    while (letter > 0 && content->glyphs[letter - 1].flags & GLYPH_MORE)
        letter--;
    before = letter > 0 && carries(&content->glyphs[--letter], marks);
    after = n < rest && carries(&marks[n], &marks[n - 1]);
    /* Text that was drawn from left to right has the marks before the letter. */
    if (before && after && marks[n].x0 > content->glyphs[letter].x0)
        before = false;
    if (before) {
        for (size_t i = 0; i < n; i++)
            attach(&content->glyphs[letter], &marks[i]);
        return at + n;
    }
    if (!after)
        return at + n;
    while (n + n_letter < rest && marks[n + n_letter].flags & GLYPH_MORE)
        n_letter++;
    for (size_t i = 1; i < n_letter; i++)
        attach(&marks[n], &marks[n + i]);
    put_after(marks, n, n_letter);
    return at + n + n_letter;
}

/* Leaves out strokes that make words longer: the letter before in the file reaches to their ends.
 */
static void drop_kashidas(struct page_content *content)
{
    size_t kept = 0;

    for (size_t i = 0; i < content->n_glyphs; i++) {
        struct glyph *glyph = &content->glyphs[i], *letter = glyph;

        if (glyph->code != UNICODE_KASHIDA || kept == 0) {
            content->glyphs[kept++] = *glyph;
            continue;
        }
        letter = &content->glyphs[kept - 1];
        letter->x0 = fminf(letter->x0, glyph->x0);
        letter->x1 = fmaxf(letter->x1, glyph->x1);
    }
    content->n_glyphs = kept;
}

void rtl_letters_join(struct page_content *content)
{
    size_t rtl = 0, ltr = 0;

    drop_kashidas(content);
    for (size_t i = 0; i < content->n_glyphs; i++) {
        rtl += bidi_is_letter_rtl(content->glyphs[i].code);
        ltr += bidi_is_letter_ltr(content->glyphs[i].code);
    }
    content->rtl = rtl > ltr;
    for (size_t i = 0, base = 0; i < content->n_glyphs && rtl;) {
        struct glyph *glyph = &content->glyphs[i];

        if (is_mark(glyph) && !(glyph->flags & GLYPH_MORE)) {
            i = join_marks(content, i);
            continue;
        }
        if (!(glyph->flags & GLYPH_MORE))
            base = i;
        else if (is_rtl(glyph->code))
            attach(&content->glyphs[base], glyph);
        i++;
    }
}
