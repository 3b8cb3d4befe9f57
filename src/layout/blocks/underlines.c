#include "layout/blocks/underlines.h"

#include <math.h>

#include "layout/page/rules.h"

#define SPACE 0.7F /* sizes between two words of a phrase, at most; cells are further apart */

/* A line at the bottom of a link, wherever the words' baselines are. */
static bool is_links(const struct area *line, const struct area *link)
{
    return line->x0 > link->x0 - 3 && line->x1 < link->x1 + 3 && line->y0 > link->y0 &&
           line->y1 < link->y1 + 3;
}

/* A line of the length of the word, or of letters of it, is theirs, even if it is further below. */
static bool is_as_long(const struct area *line, const struct word *word)
{
    bool begins = fabsf(line->x0 - word->area.x0) < 1, ends = false;

    for (size_t i = 0; i < word->n_glyphs && !ends; i++) {
        begins = begins || fabsf(line->x0 - word->glyphs[i].x0) < 1;
        ends = begins && fabsf(line->x1 - word->glyphs[i].x1) < 1;
    }
    return begins && (ends || fabsf(line->x1 - word->area.x1) < 1);
}

/* Whether b is the word after a, in the same line. */
static bool follows(const struct word *a, const struct word *b)
{
    float gap = b->area.x0 - a->area.x1;

    return fabsf(a->base - b->base) < 0.1F * a->size && gap > -0.1F * a->size &&
           gap < SPACE * a->size;
}

/* A line that begins where a word does, and ends where one after it does, is theirs too. */
static bool is_phrases(const struct area *line, const struct word *words, size_t n, size_t at)
{
    size_t first = at, last = at;

    while (first > 0 && words[first].area.x0 > line->x0 + 1 &&
           follows(&words[first - 1], &words[first]))
        first--;
    while (last + 1 < n && words[last].area.x1 < line->x1 - 1 &&
           follows(&words[last], &words[last + 1]))
        last++;
    return fabsf(line->x0 - words[first].area.x0) < 1 && fabsf(line->x1 - words[last].area.x1) < 1;
}

static void extend(struct drawn *drawn, const struct area *line)
{
    bool more = drawn->x0 < drawn->x1;

    drawn->x0 = more ? fminf(drawn->x0, line->x0) : line->x0;
    drawn->x1 = more ? fmaxf(drawn->x1, line->x1) : line->x1;
    drawn->y = (line->y0 + line->y1) / 2;
}

static void draw_through(struct word *words, size_t n, size_t at, struct fill *fill)
{
    struct word *word = &words[at];
    const struct area *a = &fill->area;
    float y = (a->y0 + a->y1) / 2 - word->base;
    float shared = fminf(a->x1, word->area.x1) - fmaxf(a->x0, word->area.x0);

    if (shared < fminf(0.3F * word->size, 0.5F * area_width(&word->area)) ||
        area_width(a) < area_height(a))
        return;
    if (y > -0.02F * word->size &&
        (y < 0.24F * word->size || is_as_long(a, word) || is_phrases(a, words, n, at) ||
         (word->link && is_links(a, &word->link->area)))) {
        extend(&word->under, a);
        claim_fill(fill, OWNER_DECORATION);
    } else if (y < -0.15F * word->size && y > -0.45F * word->size &&
               shared > 0.5F * area_width(&word->area)) {
        extend(&word->through, a);
        claim_fill(fill, OWNER_DECORATION);
    }
}

static void set_highlight(struct word *word, struct fill *fill, const struct page_content *content)
{
    float h = area_height(&fill->area);

    if (h < 0.7F * word->size || h > 3.2F * word->size ||
        area_width(&fill->area) > 0.98F * content->width)
        return;
    if (!area_has(&fill->area, (word->area.x0 + word->area.x1) / 2, word->base - 0.3F * word->size))
        return;
    claim_fill(fill, OWNER_DECORATION);
    /* Somebody's marker is seen, whatever is below it. */
    if (word->highlighter && word->highlighter->marker && !fill->marker)
        return;
    word->highlight = fill->color == 0xffffff ? STYLE_PLAIN : fill->color;
    word->highlighter = fill;
}

void underlines_find(struct page_content *content, struct word *words, size_t n)
{
    size_t work = 0;

    for (size_t i = 0; i < content->n_fills && work < 50000000; i++) {
        struct fill *fill = &content->fills[i];
        bool thin = area_height(&fill->area) <= RULE_WIDTH;

        if (fill->claimed_by)
            continue;
        work += n;
        for (size_t k = 0; k < n; k++) {
            /* Browsers underline links, and what is raised, lower than others. */
            float bottom = words[k].base + 0.7F * words[k].size;

            if (words[k].link)
                bottom = fmaxf(bottom, words[k].link->area.y1 + 3);
            if (words[k].rotated || fill->area.y1 < words[k].area.y0 || fill->area.y0 > bottom ||
                fill->area.x1 < words[k].area.x0 || fill->area.x0 > words[k].area.x1)
                continue;
            if (thin)
                draw_through(words, n, k, fill);
            else if (!fill->stroked)
                set_highlight(&words[k], fill, content);
        }
    }
}
