#include "layout/formula/formula_parts.h"
#include "layout/formula/large.h"

void formula_find_all(struct arena *arena, struct page_content *content, struct word *words,
                      size_t *n)
{
    struct formula_search s = { .arena = arena, .content = content, .words = words, .n = *n };
    size_t kept = 0;

    large_set(content, words, *n, true);
    formula_limits(&s);
    formula_lined(&s);
    formula_slashes(&s);
    for (size_t i = 0; i < s.n; i++)
        if (words[i].n_glyphs)
            words[kept++] = words[i];
    *n = kept;
    large_set(content, words, *n, false);
}
