#include "layout/paragraph/titles.h"

#include <math.h>
#include <string.h>

#include "base/fnv.h"

#define FEW     4     /* pages: what they have in common can be chance */
#define TOP     0.12F /* of the height: where headers are */
#define NEAR    2.0F  /* points: between baselines that are one */
#define APART   1.5F  /* sizes: between its baseline and that of the text, at least */
#define LARGEST 1.05F /* of the text's size: larger lines are titles of their pages */
#define WIDE    1.5F  /* sizes: white space between the parts of a header */
#define PARTS   2     /* that it has at most: a row of a table has more */

uint64_t titles_words(const struct line *line, size_t from)
{
    uint64_t hash = FNV_START;

    for (size_t i = from; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++)
            hash = fnv_mix(hash, line->words.items[i]->glyphs[k].code);
    return hash;
}

/* "Table 3", "Figure 2": a caption at the top of a page. */
static bool is_caption_line(const struct line *line)
{
    static const char *const names[] = { "Tab", "TAB", "Fig", "FIG", "Abb", "Cuad" };
    const struct word *word = line->words.items[0];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t k = 0;

        while (names[i][k] && k < word->n_glyphs &&
               word->glyphs[k].code == (unsigned char) names[i][k])
            k++;
        if (!names[i][k])
            return true;
    }
    return false;
}

static size_t count_parts(const struct line *line)
{
    size_t n = 1;

    for (size_t i = 1; i < line->words.n; i++)
        n += line->words.items[i]->area.x0 - line->words.items[i - 1]->area.x1 > WIDE * line->size;
    return n;
}

void titles_note(struct titles *titles, const struct line *line, float height, bool first,
                 float gap, bool in_table)
{
    if (first && titles->n_tops < TITLES_PAGES)
        titles->tops[titles->n_tops++] =
            (struct titles_top){ .base = line->base,
                                 .size = line->size,
                                 .gap = gap,
                                 .words = titles_words(line, 0),
                                 .fit = !in_table && line->area.y0 < TOP * height &&
                                        gap >= APART * line->size &&
                                        line->words.n <= TITLES_WORDS && !is_caption_line(line) &&
                                        count_parts(line) <= PARTS };
    /* A header can leave out the number of the title. */
    for (size_t from = 0;
         !first && from < 2 && from < line->words.n && line->words.n <= TITLES_WORDS; from++)
        if (titles->n_lines < TITLES_LINES)
            titles->lines[titles->n_lines++] = titles_words(line, from);
}

static bool is_at(const struct titles_top *top, const struct titles_top *other)
{
    return top->fit && fabsf(top->base - other->base) <= NEAR &&
           fabsf(top->size - other->size) < 0.1F * other->size;
}

/* Whether the words of a first line are those of another one, or of a line of the text. */
static bool is_known_title(const struct titles *titles, const struct titles_top *top)
{
    for (int i = 0; i < titles->n_tops; i++)
        if (&titles->tops[i] != top && titles->tops[i].words == top->words)
            return true;
    for (int i = 0; i < titles->n_lines; i++)
        if (titles->lines[i] == top->words)
            return true;
    return false;
}

void titles_end(struct titles *titles, int seen, float body)
{
    const struct titles_top *best = NULL;
    int most = 0, known = 0;
    bool same = true;

    for (int i = 0; i < titles->n_tops; i++) {
        int n = 0;

        for (int k = 0; k < titles->n_tops; k++)
            n += is_at(&titles->tops[k], &titles->tops[i]);
        if (n <= most)
            continue;
        most = n;
        best = &titles->tops[i];
    }
    if (seen < FEW || most < FEW || most * 5 < seen * 4 || best->size > LARGEST * body)
        return;
    for (int i = 0; i < titles->n_tops; i++)
        if (is_at(&titles->tops[i], best)) {
            known += is_known_title(titles, &titles->tops[i]);
            same = same && titles->tops[i].words == best->words;
        }
    titles->found = !same && known * 2 >= most;
    titles->base = best->base;
    titles->size = best->size;
}

bool titles_has(const struct titles *titles, const struct line *line, float gap)
{
    return titles->found && fabsf(line->base - titles->base) <= NEAR &&
           fabsf(line->size - titles->size) < 0.1F * titles->size && gap >= APART * line->size;
}

bool titles_repeat(const struct titles *titles, uint64_t words)
{
    int n = 0;

    for (int i = 0; i < titles->n_tops; i++)
        n += titles->tops[i].words == words;
    for (int i = 0; i < titles->n_lines; i++)
        n += 2 * (titles->lines[i] == words);
    return n > 1;
}
