#include "layout/paragraph/running.h"

#include <math.h>
#include <stdlib.h>

#define FEW   4    /* pages: what they have in common can be chance */
#define NEAR  2.0F /* points: between baselines that are one */
#define APART 1.5F /* sizes: between their baselines and those of the text */

/* The number in a word; -1: it is not a number. */
static long number_of(const struct word *word)
{
    long value = 0;

    if (word->n_glyphs > 5)
        return -1;
    for (size_t i = 0; i < word->n_glyphs; i++) {
        if (word->glyphs[i].code - '0' >= 10)
            return -1;
        value = value * 10 + (long) word->glyphs[i].code - '0';
    }
    return word->n_glyphs ? value : -1;
}

/* The words where a page's number can be: the first and the last one. */
static size_t ends_of(const struct line *line, const struct word **ends)
{
    size_t n = 0;

    if (number_of(line->words.items[0]) >= 0)
        ends[n++] = line->words.items[0];
    if (line->words.n > 1 && number_of(line->words.items[line->words.n - 1]) >= 0)
        ends[n++] = line->words.items[line->words.n - 1];
    return n;
}

float running_foot_base(const struct running *running, float base, float height)
{
    return running->height > 0 ? base + (running->height - height) : base;
}

void running_note(struct running *running, const struct line *line, float height, float gap,
                  size_t page)
{
    bool foot = line->base > height / 2;
    struct running_spot *spot = &running->spots[running->n_spots];
    const struct word *ends[RUNNING_NUMBERS];
    size_t n;

    if (running->n_spots == RUNNING_SPOTS || page > INT32_MAX || gap < APART * line->size ||
        (foot ? line->area.y1 < (1 - RUNNING_ZONE) * height
              : line->area.y0 > RUNNING_ZONE * height))
        return;
    *spot = (struct running_spot){ .base = foot ? running_foot_base(running, line->base, height)
                                                : line->base,
                                   .foot = foot,
                                   .page = (int) page,
                                   .only_number = running_is_only_number(line) };
    n = ends_of(line, ends);
    for (size_t i = 0; i < n; i++)
        spot->offsets[spot->n_offsets++] = (int) (number_of(ends[i]) - (long) page);
    running->n_spots += spot->n_offsets > 0;
}

/* Pages without a number shift later ones: by how much the numbers of two pages can differ. */
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
static int count_pages(const struct running *running, const struct running_spot *spot, int k)
{
    int n = 0;

    for (int i = 0; i < running->n_spots; i++)
        n += counts(&running->spots[i], spot, spot->offsets[k]);
    return n;
}

static bool is_known_spot(const struct running *running, const struct running_spot *spot)
{
    for (int i = 0; i < running->n_bases; i++)
        if (running->bases[i].foot == spot->foot &&
            fabsf(running->bases[i].base - spot->base) <= NEAR)
            return true;
    return false;
}

/* What a spot whose numbers go with that of the best one says: where such lines are, and how
 * numbers go there. */
static void learn_spot(struct running *running, const struct running_spot *spot,
                       const struct running_spot *best, int offset)
{
    for (int k = 0; k < spot->n_offsets; k++) {
        if (abs(spot->offsets[k] - offset) > drift(spot->page, best->page))
            continue;
        if (!is_known_spot(running, spot) && count_pages(running, spot, k) > 1 &&
            running->n_bases < RUNNING_BASES)
            running->bases[running->n_bases++] = (struct running_base){ spot->base, spot->foot };
        if (is_known_spot(running, spot))
            running->only_number = running->only_number && spot->only_number;
        if (is_known_spot(running, spot) && running->n_known < RUNNING_SPOTS)
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
            int n = count_pages(running, spot, k);

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
    running->only_number = true;
    for (int i = 0; i < running->n_spots; i++)
        learn_spot(running, &running->spots[i], best, offset);
}

void running_add(struct running *running, float base)
{
    struct running_spot spot = { .base = base };

    if (!is_known_spot(running, &spot) && running->n_bases < RUNNING_BASES)
        running->bases[running->n_bases++] = (struct running_base){ base, false };
}

bool running_is_only_number(const struct line *line)
{
    return line->words.n == 1 && number_of(line->words.items[0]) >= 0;
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
static const struct word *find_number(const struct running *running, const struct line *line,
                                      size_t page)
{
    const struct running_known *known = nearest(running, page);
    long expected = (long) page + known->offset, least = drift(known->page, (long) page) + 1;
    const struct word *ends[RUNNING_NUMBERS], *found = NULL;
    size_t n = ends_of(line, ends);

    for (size_t i = 0; i < n; i++)
        if (labs(number_of(ends[i]) - expected) < least) {
            least = labs(number_of(ends[i]) - expected);
            found = ends[i];
        }
    return found;
}

bool running_has(const struct running *running, const struct line *line, float height, size_t page,
                 bool *foot)
{
    struct running_spot spot = { .base = line->base, .foot = line->base > height / 2 };

    *foot = spot.foot;
    if (spot.foot)
        spot.base = running_foot_base(running, line->base, height);
    if (running->n_known == 0 || !find_number(running, line, page))
        return false;
    /* Where a chapter begins the number may be elsewhere. */
    return is_known_spot(running, &spot) ||
           (running_is_only_number(line) && (line->area.y1 < RUNNING_ZONE / 2 * height ||
                                             line->area.y0 > (1 - RUNNING_ZONE / 2) * height));
}

int running_mark(const struct running *running, struct page_content *content,
                 const struct line *line, size_t page)
{
    const struct word *word = running->n_known ? find_number(running, line, page) : NULL;

    if (!word)
        return -1;
    for (size_t i = 0; i < word->n_glyphs; i++)
        content->glyphs[(size_t) (word->glyphs - content->glyphs) + i].flags |= GLYPH_NUMBER;
    return (int) number_of(word);
}
