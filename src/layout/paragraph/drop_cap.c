#include "layout/paragraph/drop_cap.h"

#include <math.h>

#define LARGE 1.8F /* times the size of the text */
#define NEAR  1.2F /* sizes of the text, to its right */

static bool is_small_letter(uint32_t c)
{
    return c - 'a' < 26 || (c >= 0xdf && c <= 0xff) || (c >= 0x430 && c <= 0x45f);
}

static bool is_drop_cap(const struct flow *flow, const struct word *word)
{
    uint32_t c = word->glyphs->code;

    return word->n_glyphs == 1 && !word->rotated && word->size > LARGE * flow->survey->body &&
           (c - 'A' < 26 || (c >= 0xc0 && c <= 0xde) || (c >= 0x410 && c <= 0x42f));
}

static bool is_next_to_cap(const struct word *cap, const struct word *word)
{
    float gap = word->area.x0 - cap->area.x1;

    return word->size * LARGE < cap->size && gap > -0.2F * word->size && gap < NEAR * word->size &&
           word->base > cap->base - 0.85F * cap->size && word->base < cap->base + 0.3F * word->size;
}

struct word *drop_cap_find(const struct flow *flow, struct word **words, size_t n, float *bottom)
{
    for (size_t i = 0; i < n; i++) {
        struct word *cap = words[i], *first = NULL;
        float last = -INFINITY;

        if (!is_drop_cap(flow, cap))
            continue;
        for (size_t k = 0; k < n; k++) {
            if (k == i || !is_next_to_cap(cap, words[k]))
                continue;
            if (!first || words[k]->base < first->base)
                first = words[k];
            last = fmaxf(last, words[k]->base);
        }
        /* At least two lines must be next to it, of which the first continues its word. */
        if (!first || last < first->base + 0.8F * first->size ||
            !is_small_letter(first->glyphs->code))
            continue;
        cap->base = first->base;
        cap->size = first->size;
        cap->area.y0 = first->area.y0;
        cap->area.y1 = first->area.y1;
        cap->drop_cap = true;
        *bottom = last;
        return cap;
    }
    return NULL;
}

void drop_cap_indent(const struct word *cap, float bottom, struct line_list *lines)
{
    for (size_t i = 0; i < lines->n; i++) {
        struct line *line = &lines->items[i];

        if (line->base > cap->base && line->base < bottom + 1 && line->area.x0 > cap->area.x0 &&
            line->area.x0 < cap->area.x1 + NEAR * line->size)
            line->area.x0 = cap->area.x0;
    }
}
