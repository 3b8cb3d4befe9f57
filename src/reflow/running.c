#include "reflow/running.h"

#include <math.h>
#include <stdlib.h>

#define FEW  4    /* pages: what they have in common can be chance */
#define NEAR 2.0F /* points: between baselines that are one */

/* The next number of a line, and where its glyphs are; false: there is none. */
struct digits {
    const struct word *word;
    size_t from, to; /* of the word's glyphs */
    long value;
};

static bool next_number(const struct line *line, size_t *at, size_t *glyph, struct digits *found)
{
    for (; *at < line->words.n; ++*at, *glyph = 0) {
        const struct word *word = line->words.items[*at];

        while (*glyph < word->n_glyphs) {
            size_t from = *glyph;
            long value = 0;

            for (; *glyph < word->n_glyphs && word->glyphs[*glyph].code - '0' < 10; ++*glyph)
                value = value > 99999 ? value : value * 10 + (long) word->glyphs[*glyph].code - '0';
            if (*glyph == from || value > 99999) {
                ++*glyph;
                continue;
            }
            *found = (struct digits){ .word = word, .from = from, .to = *glyph, .value = value };
            return true;
        }
    }
    return false;
}

void running_note(struct running *running, const struct line *line, float height, size_t page)
{
    bool foot = line->base > height / 2;
    struct running_spot *spot = &running->spots[running->n_spots];
    struct digits digits;
    size_t at = 0, glyph = 0;

    if (running->n_spots == RUNNING_SPOTS || page > INT32_MAX ||
        (foot ? line->area.y1 < (1 - RUNNING_ZONE) * height
              : line->area.y0 > RUNNING_ZONE * height))
        return;
    *spot = (struct running_spot){ .base = line->base, .foot = foot, .page = (int) page };
    while (spot->n_offsets < RUNNING_NUMBERS && next_number(line, &at, &glyph, &digits))
        spot->offsets[spot->n_offsets++] = (int) (digits.value - (long) page);
    running->n_spots += spot->n_offsets > 0;
}

/* Pages without a number move those behind them: how far two pages can have come apart. */
static int drift(long a, long b)
{
    return (int) (labs(a - b) / 12);
}

static bool counts(const struct running_spot *spot, const struct running_spot *other, int offset)
{
    if (spot->foot != other->foot || fabsf(spot->base - other->base) > NEAR)
        return false;
    for (int i = 0; i < spot->n_offsets; i++)
        if (abs(spot->offsets[i] - offset) <= drift(spot->page, other->page))
            return true;
    return false;
}

/* How many pages have numbers there that go with its kth. */
static int count(const struct running *running, const struct running_spot *spot, int k)
{
    int n = 0;

    for (int i = 0; i < running->n_spots; i++)
        n += counts(&running->spots[i], spot, spot->offsets[k]);
    return n;
}

static bool is_known(const struct running *running, const struct running_spot *spot)
{
    for (int i = 0; i < running->n_bases; i++)
        if (running->bases[i].foot == spot->foot &&
            fabsf(running->bases[i].base - spot->base) <= NEAR)
            return true;
    return false;
}

/* What a spot whose numbers go with that of the best one says: where such lines are, and how
 * numbers go there. */
static void learn(struct running *running, const struct running_spot *spot,
                  const struct running_spot *best, int offset)
{
    for (int k = 0; k < spot->n_offsets; k++) {
        if (abs(spot->offsets[k] - offset) > drift(spot->page, best->page))
            continue;
        if (!is_known(running, spot) && count(running, spot, k) > 1 &&
            running->n_bases < RUNNING_BASES)
            running->bases[running->n_bases++] = (struct running_base){ spot->base, spot->foot };
        if (is_known(running, spot) && running->n_known < RUNNING_SPOTS)
            running->known[running->n_known++] =
                (struct running_known){ spot->page, spot->offsets[k] };
        return;
    }
}

void running_end(struct running *running, int seen)
{
    const struct running_spot *best = NULL;
    int most = 0, offset = 0;

    for (int i = 0; i < running->n_spots; i++)
        for (int k = 0; k < running->spots[i].n_offsets; k++) {
            const struct running_spot *spot = &running->spots[i];
            int n = count(running, spot, k);

            if (n <= most)
                continue;
            most = n;
            best = spot;
            offset = spot->offsets[k];
            running->bases[0] = (struct running_base){ spot->base, spot->foot };
        }
    if (seen < FEW || most < 3 || most * 2 < seen)
        return;
    running->n_bases = 1;
    for (int i = 0; i < running->n_spots; i++)
        learn(running, &running->spots[i], best, offset);
}

bool running_is_lone(const struct line *line)
{
    const struct word *word = line->words.items[0];

    if (line->words.n != 1 || word->n_glyphs > 5)
        return false;
    for (size_t i = 0; i < word->n_glyphs; i++)
        if (word->glyphs[i].code - '0' >= 10)
            return false;
    return true;
}

/* Of the page that was looked at nearest to this one. */
static const struct running_known *nearest(const struct running *running, size_t page)
{
    const struct running_known *best = &running->known[0];

    for (int i = 1; i < running->n_known; i++)
        if (labs(running->known[i].page - (long) page) < labs(best->page - (long) page))
            best = &running->known[i];
    return best;
}

/* Finds the number of the page: the one that is nearest to what is expected. */
static bool has_number(const struct running *running, const struct line *line, size_t page,
                       struct digits *best)
{
    const struct running_known *known = nearest(running, page);
    long expected = (long) page + known->offset, least = drift(known->page, (long) page) + 1;
    struct digits digits;
    size_t at = 0, glyph = 0;
    bool found = false;

    while (next_number(line, &at, &glyph, &digits))
        if (labs(digits.value - expected) < least) {
            least = labs(digits.value - expected);
            *best = digits;
            found = true;
        }
    return found;
}

bool running_has(const struct running *running, const struct line *line, float height, size_t page,
                 bool *foot)
{
    struct running_spot spot = { .base = line->base, .foot = line->base > height / 2 };
    struct digits digits;

    *foot = spot.foot;
    if (running->n_bases == 0 || !has_number(running, line, page, &digits))
        return false;
    /* Where a chapter begins the number may be elsewhere. */
    return is_known(running, &spot) ||
           (running_is_lone(line) && (line->area.y1 < RUNNING_ZONE / 2 * height ||
                                      line->area.y0 > (1 - RUNNING_ZONE / 2) * height));
}

int running_mark(const struct running *running, struct sheet *sheet, const struct line *line,
                 size_t page)
{
    struct digits digits;

    if (!has_number(running, line, page, &digits))
        return 0;
    for (size_t i = digits.from; i < digits.to; i++)
        sheet->glyphs[(size_t) (digits.word->glyphs - sheet->glyphs) + i].flags |= GLYPH_NUMBER;
    return (int) digits.value;
}
