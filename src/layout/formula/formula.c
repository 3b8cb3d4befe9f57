#include "layout/formula/formula_parts.h"
#include "layout/formula/large.h"

void formula_find_all(struct arena *arena, struct sheet *sheet, struct word *words, size_t *n)
{
    struct formula_search s = { .arena = arena, .sheet = sheet, .words = words, .n = *n };
    size_t kept = 0;

    large_set(sheet, words, *n, true);
    formula_limits(&s);
    formula_lined(&s);
    formula_slashes(&s);
    for (size_t i = 0; i < s.n; i++)
        if (words[i].n_glyphs)
            words[kept++] = words[i];
    *n = kept;
    large_set(sheet, words, *n, false);
}
