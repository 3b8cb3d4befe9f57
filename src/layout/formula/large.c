#include "layout/formula/large.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"

/* Fonts of TeX with large symbols, whose letters hang down from where they are put. */
static bool hangs_down(const struct page_content *content, const struct word *word)
{
    static const char *const names[] = { "CMEX", "LMMathExtension", "LMEX", "EUEX", "txex", "pxex",
                                         "ntxex" };
    const char *name = content->fonts[word->glyphs->font].source;

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcasestr(name, names[i]))
            return true;
    return false;
}

bool large_is_sum(const struct word *word)
{
    static const uint32_t codes[] = { 0x220f, 0x2210, 0x2211, 0x22c0, 0x22c1, 0x22c2,
                                      0x22c3, 0x2a00, 0x2a01, 0x2a02, 0x2a04, 0x2a06 };

    for (size_t i = 0; i < COUNT(codes) && word->n_glyphs == 1; i++)
        if (word->glyphs->code == codes[i])
            return true;
    return false;
}

bool large_is_integral(const struct word *word)
{
    return word->n_glyphs == 1 && word->glyphs->code - 0x222b < 6;
}

/* Such a symbol belongs to the line of the text next to it in the file and on the page. */
static void set_on_line(const struct page_content *content, struct word *words, size_t n, size_t i)
{
    struct word *word = &words[i];
    float nearest = 3 * word->size, base = word->base;
    /* Not the line of a fraction's numerator or denominator next to a sum. */
    bool limited = large_is_sum(word) || large_is_integral(word);
    float least = limited ? 0.5F : 0.3F, most = limited ? 1.5F : 1.9F;

    for (size_t k = i > 6 ? i - 6 : 0; k < n && k < i + 7; k++) {
        const struct word *other = &words[k];
        float down = other->base - word->base;
        float gap = fmaxf(other->area.x0 - word->area.x1, word->area.x0 - other->area.x1);

        if (other->rotated || other->size < 0.85F * word->size || down < least * word->size ||
            down > most * word->size || gap >= nearest || hangs_down(content, other))
            continue;
        nearest = gap;
        base = other->base;
    }
    word->area.y0 += base - word->base;
    word->area.y1 += base - word->base;
    word->base = base;
}

/* A sum that is a larger letter is slightly off the text's baseline. */
static void set_at_right(struct word *words, size_t n, size_t i)
{
    struct word *word = &words[i];
    const struct word *nearest = NULL;
    float least = word->size;

    for (size_t k = i > 6 ? i - 6 : 0; k < n && k < i + 7; k++) {
        const struct word *other = &words[k];
        float gap = fmaxf(other->area.x0 - word->area.x1, word->area.x0 - other->area.x1);

        if (k == i || other->rotated || other->size < 0.6F * word->size ||
            other->size > 0.9F * word->size ||
            fabsf(other->base - word->base) > 0.3F * word->size || gap >= least)
            continue;
        least = gap;
        nearest = other;
    }
    if (!nearest)
        return;
    word->base = nearest->base;
    word->size = nearest->size;
}

void large_set(const struct page_content *content, struct word *words, size_t n, bool sums)
{
    for (size_t i = 0; i < n; i++) {
        if (words[i].rotated || words[i].formula ||
            (large_is_sum(&words[i]) || large_is_integral(&words[i])) != sums)
            continue;
        if (hangs_down(content, &words[i]))
            set_on_line(content, words, n, i);
        else if (sums)
            set_at_right(words, n, i);
    }
}
