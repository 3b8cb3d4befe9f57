#include "reflow/large.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"

/* Fonts of TeX with large symbols, whose letters hang down from where they are put. */
static bool hangs_down(const struct sheet *sheet, const struct word *word)
{
    static const char *const names[] = { "CMEX", "LMMathExtension", "LMEX", "EUEX", "txex", "pxex",
                                         "ntxex" };
    const char *name = sheet->fonts[word->glyphs->font].source;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasestr(name, names[i]))
            return true;
    return false;
}

/* Such a symbol stands on the line of the text that is next to it in the file and on the page. */
static void set_on_line(const struct sheet *sheet, struct word *words, size_t n, size_t i)
{
    struct word *word = &words[i];
    float nearest = 3 * word->size, base = word->base;

    for (size_t k = i > 6 ? i - 6 : 0; k < n && k < i + 7; k++) {
        const struct word *other = &words[k];
        float down = other->base - word->base;
        float gap = fmaxf(other->area.x0 - word->area.x1, word->area.x0 - other->area.x1);

        if (other->turned || other->size < 0.85F * word->size || down < 0.3F * word->size ||
            down > 1.9F * word->size || gap >= nearest || hangs_down(sheet, other))
            continue;
        nearest = gap;
        base = other->base;
    }
    word->area.y0 += base - word->base;
    word->area.y1 += base - word->base;
    word->base = base;
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

void large_set(const struct sheet *sheet, struct word *words, size_t n, bool sums)
{
    for (size_t i = 0; i < n; i++)
        if (!words[i].turned && !words[i].formula &&
            (large_is_sum(&words[i]) || large_is_integral(&words[i])) == sums &&
            hangs_down(sheet, &words[i]))
            set_on_line(sheet, words, n, i);
}
