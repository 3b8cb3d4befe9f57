#include <string.h>

#include "layout/formula/formula_parts.h"

/* What a character is as a superscript or subscript of its own; or 0. */
static uint32_t raised(uint32_t c)
{
    static const uint16_t digits[] = { 0x2070, 0xb9,   0xb2,   0xb3,   0x2074,
                                       0x2075, 0x2076, 0x2077, 0x2078, 0x2079 };

    if (c - '0' < 10)
        return digits[c - '0'];
    return c == '+' ? 0x207a : c == '-' || c == 0x2212 ? 0x207b : c == 'n' ? 0x207f : 0;
}

static uint32_t lowered(uint32_t c)
{
    static const char letters[] = "aeox\xff"
                                  "hklmnpst"; /* from U+2090 on */
    const char *found = c < 0x80 && c ? strchr(letters, (char) c) : NULL;

    if (c - '0' < 10)
        return 0x2080 + c - '0';
    if (found)
        return 0x2090 + (uint32_t) (found - letters);
    return c == '+' ? 0x208a : c == '-' || c == 0x2212 ? 0x208b : c == 'i' ? 0x1d62 : 0;
}

static bool flatten_scripts(const struct formula *row, uint32_t (*small)(uint32_t),
                            struct glyph *glyphs, size_t *n)
{
    for (; row; row = row->next)
        for (size_t i = 0; i < row->n_glyphs || row->kind != FORMULA_TEXT; i++) {
            if (row->kind != FORMULA_TEXT || small(glyphs[*n].code) == 0)
                return false;
            glyphs[*n].code = small(glyphs[*n].code);
            ++*n;
        }
    return true;
}

/* Whether a row can be plain text, with scripts of one line. Then these are so in the glyphs, of
 * which it has n. */
static bool flatten(const struct formula *row, struct glyph *glyphs, size_t *n)
{
    for (*n = 0; row; row = row->next) {
        const struct formula *base = row->kind == FORMULA_SCRIPTS ? row->base : row;

        if (base->kind != FORMULA_TEXT)
            return false;
        *n += base->n_glyphs;
        if (row != base && (!flatten_scripts(row->below, lowered, glyphs, n) ||
                            !flatten_scripts(row->above, raised, glyphs, n)))
            return false;
    }
    return true;
}

static struct word part_of(const struct word *whole, struct glyph *glyphs, size_t n, float size,
                           float up, float from, float to)
{
    float x0 = whole->area.x0 + from * area_width(&whole->area);
    float x1 = whole->area.x0 + to * area_width(&whole->area), base = whole->base - up;
    struct word part = *whole;

    for (size_t i = 0; i < n; i++) {
        glyphs[i].x0 = x0 + (x1 - x0) * (float) i / (float) n;
        glyphs[i].x1 = x0 + (x1 - x0) * (float) (i + 1) / (float) n;
        glyphs[i].base = base;
        glyphs[i].size = size;
    }
    part.glyphs = glyphs;
    part.n_glyphs = n;
    part.formula = NULL;
    part.base = base;
    part.size = size;
    part.area = (struct area){ x0, base - ASCENT * size, x1, base + DESCENT * size };
    return part;
}

/* A small fraction of letters, in a line of text, is text with a slash: a line with an equation in
 * it would be higher. */
static void make_slash(struct formula_search *s, struct word *word)
{
    struct glyph *glyphs = ARENA_ARRAY(s->arena, struct glyph, word->n_glyphs + 1), *slash;
    size_t above, below;
    float size = word->size;
    struct word whole = *word;

    if (s->n + 2 > s->content->n_glyphs || word->formula->full)
        return;
    memcpy(glyphs, word->glyphs, word->n_glyphs * sizeof *glyphs);
    if (!flatten(word->formula->above, glyphs, &above) || above >= word->n_glyphs ||
        !flatten(word->formula->below, glyphs + above, &below) || above + below != word->n_glyphs)
        return;
    slash = &glyphs[word->n_glyphs];
    *slash = *glyphs;
    slash->code = '/';
    *word = part_of(&whole, glyphs, above, 0.7F * size, 0.35F * size, 0, 0.45F);
    s->words[s->n++] = part_of(&whole, slash, 1, size, 0, 0.45F, 0.55F);
    s->words[s->n++] = part_of(&whole, glyphs + above, below, 0.7F * size, -0.15F * size, 0.55F, 1);
}

void formula_slashes(struct formula_search *s)
{
    for (size_t i = 0, n = s->n; i < n; i++)
        if (s->words[i].n_glyphs && s->words[i].formula &&
            s->words[i].formula->kind == FORMULA_FRACTION)
            make_slash(s, &s->words[i]);
}
