#include "layout/page/sentence.h"

bool sentence_ends(const struct line *line)
{
    const struct word *last = line->words.items[line->words.n - 1];
    uint32_t end = last->glyphs[last->n_glyphs - 1].code;

    return end == '.' || end == ':' || end == ';' || end == '!' || end == '?' || end == 0x201d ||
           end == '"' || end == 0xbb;
}

bool sentence_is_small(uint32_t c)
{
    return c - 'a' < 26 || (c >= 0xdf && c <= 0xff) || (c >= 0x430 && c <= 0x45f);
}

bool sentence_begins_small(const struct line *line)
{
    return sentence_is_small(line->words.items[0]->glyphs->code);
}

bool sentence_runs_on(const struct line *line, const struct line *next)
{
    return sentence_begins_small(next) && !sentence_ends(line);
}
