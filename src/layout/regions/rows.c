#include "layout/regions/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/page/numbering.h"

#define LEVEL    0.3F /* font sizes: baselines of one row differ by less */
#define LABELLED 2.5F /* font sizes: from a bullet to its text, at most */
#define HALF     0.8F /* font sizes: from a line to cells in the middle of it and the next, at most */
#define EDGES    3    /* cells that begin at one place after white space, at least */
#define EDGE     0.8F /* points: places nearer to each other are one */
#define NARROW                                                                                     \
    0.45F /* font sizes: white space before a word that begins at such a place, at least */
#define WIDER  1.6F /* times the least space between the words of its segment, at least */
#define WINDOW 16   /* rows from the nearest cell that begins there, at most */
#define VALUE  18   /* characters of a value, at most */

static bool is_ascii_digit(uint32_t c)
{
    return c - '0' < 10;
}

static bool is_text_letter(uint32_t c)
{
    return (c | 0x20) - 'a' < 26 || (c >= 0xc0 && c != 0xd7 && c != 0xf7 && c < 0x2000);
}

/* Reads the segment's characters: whether they are a value, and where its decimal point is. */
static void read_segment_value(const struct line *line, struct segment *segment)
{
    size_t digits = 0, letters = 0, all = 0, after = 0;

    segment->point = NAN;
    for (size_t i = segment->from; i < segment->from + segment->n; i++) {
        const struct word *word = line->words.items[i];

        for (size_t k = 0; k < word->n_glyphs; k++) {
            const struct glyph *glyph = &word->glyphs[k];

            all++;
            letters += is_text_letter(glyph->code);
            if (is_ascii_digit(glyph->code)) {
                digits++;
                after++;
                if (isnan(segment->point) || after > 3)
                    segment->point = glyph->x1;
            } else if ((glyph->code == '.' || glyph->code == ',') && digits > 0) {
                segment->point = glyph->x0;
                after = 0;
            }
        }
    }
    segment->value = all <= VALUE && (digits ? letters <= digits && all <= 3 * digits + 3
                                             : letters == 0 && all <= 3);
    if (!segment->value || digits == 0)
        segment->point = NAN;
}

static struct segment *add_segment(struct row *row, size_t word)
{
    struct segment *segment = &row->segments[row->n++];

    *segment = (struct segment){ .from = word,
                                 .x0 = row->line.words.items[word]->area.x0,
                                 .x1 = row->line.words.items[word]->area.x1 };
    return segment;
}

/* A bullet belongs to the text after it: a list is not a column of bullets and one of text. Labels
 * below U+2022 are dashes, which stand for missing values in tables. */
static bool is_bullet(const struct word *word)
{
    struct label label;

    return word->n_glyphs == 1 && word->glyphs->code >= 0x2022 && word->glyphs->code != 0x2212 &&
           numbering_read_label(&word->glyphs->code, 1, &label) && label.kind == LABEL_BULLET;
}

static bool is_labelled(const struct line *line, size_t i)
{
    const struct word *word = line->words.items[i], *before = line->words.items[i - 1];

    return is_bullet(before) && !is_bullet(word) &&
           word->area.x0 - before->area.x1 < LABELLED * line->size;
}

/* Cuts a row at wide gaps, and before the words that are marked. */
static void cut(struct arena *arena, struct row *row, const bool *marks)
{
    struct segment *segment = NULL;

    row->segments = ARENA_ARRAY(arena, struct segment, row->line.words.n);
    row->n = 0;
    for (size_t i = 0; i < row->line.words.n; i++) {
        const struct word *word = row->line.words.items[i];

        if (!segment || (marks && marks[i]) ||
            (word->area.x0 - segment->x1 > ROWS_WHITE * row->line.size &&
             !is_labelled(&row->line, i)))
            segment = add_segment(row, i);
        segment->n++;
        segment->x1 = fmaxf(segment->x1, word->area.x1);
    }
    for (size_t i = 0; i < row->n; i++) {
        segment = &row->segments[i];
        segment->item = segment->n > 1 && is_bullet(row->line.words.items[segment->from]);
        read_segment_value(&row->line, segment);
    }
}

static bool overlaps(const struct line *a, const struct line *b)
{
    for (size_t i = 0; i < a->words.n; i++)
        for (size_t k = 0; k < b->words.n; k++)
            if (a->words.items[i]->area.x0 < b->words.items[k]->area.x1 &&
                b->words.items[k]->area.x0 < a->words.items[i]->area.x1)
                return true;
    return false;
}

/* Whether two lines, one after the other, are at one height. */
static bool is_level(const struct line *a, const struct line *b)
{
    return fabsf(b->base - a->base) <= LEVEL * fminf(a->size, b->size) && !overlaps(a, b);
}

static void add_row_line(struct arena *arena, struct row *row, const struct line *line)
{
    if (row->line.words.n == 0)
        row->line = (struct line){ .area = line->area, .base = line->base, .size = line->size };
    row->line.bold = line->bold && (row->line.words.n == 0 || row->line.bold);
    area_join(&row->line.area, &line->area);
    for (size_t i = 0; i < line->words.n; i++) {
        if (line->words.items[i]->dots)
            row->led = true;
        else
            *ARENA_ADD(arena, &row->line.words) = line->words.items[i];
    }
    if (row->line.words.n)
        qsort(row->line.words.items, row->line.words.n, sizeof *row->line.words.items, words_by_x);
}

static bool has_gap(const struct line *line)
{
    for (size_t i = 1; i < line->words.n; i++)
        if (line->words.items[i]->area.x0 - line->words.items[i - 1]->area.x1 >
            ROWS_WHITE * line->size)
            return true;
    return false;
}

/* Whether the second of three lines is at half the height between the others, in other columns: its
 * cells are in the middle of one whose lines are the first and the third. */
static bool is_between(const struct line *a, const struct line *m, const struct line *b)
{
    float size = fminf(a->size, fminf(m->size, b->size));

    return m->base - a->base < HALF * size && b->base - m->base < HALF * size && overlaps(a, b) &&
           !overlaps(a, m) && !overlaps(m, b) && has_gap(m);
}

/* How many cells of rows near one begin at x, after a wide gap. */
static size_t count_begun(const struct row_list *rows, size_t at, float x)
{
    size_t from = at > WINDOW ? at - WINDOW : 0, n = 0;

    for (size_t r = from; r < rows->n && r <= at + WINDOW; r++)
        for (size_t i = 1; i < rows->items[r].n; i++)
            n += fabsf(rows->items[r].segments[i].x0 - x) < EDGE;
    return n;
}

static float gap_before(const struct row *row, size_t word)
{
    return row->line.words.items[word]->area.x0 - row->line.words.items[word - 1]->area.x1;
}

/* The least space between the words of a segment, or of the row if the segment has one space. */
static float space_of(const struct row *row, const struct segment *segment)
{
    bool whole = segment->n < 3;
    size_t from = whole ? 0 : segment->from, to = whole ? row->line.words.n : from + segment->n;
    float least = INFINITY;

    for (size_t i = from + 1; i < to; i++)
        least = fminf(least, gap_before(row, i));
    return least;
}

/* Marks the words of a segment that begin where cells of other rows do. */
static bool mark_narrow(const struct row_list *rows, size_t at, const struct segment *segment,
                        bool *marks)
{
    const struct row *row = &rows->items[at];
    float least = fmaxf(NARROW * row->line.size, WIDER * space_of(row, segment));
    bool any = false;

    for (size_t i = segment->from; i < segment->from + segment->n; i++) {
        marks[i] = i > segment->from && gap_before(row, i) >= least &&
                   count_begun(rows, at, row->line.words.items[i]->area.x0) >= EDGES;
        any = any || marks[i];
    }
    return any;
}

/* Divides segments at narrow gaps before words that begin where cells of other rows do: a line that
 * fills its cell leaves only the padding. */
static void divide(struct arena *arena, struct row_list *rows)
{
    bool **marks = ARENA_ARRAY(arena, bool *, rows->n);
    bool *divided = ARENA_ARRAY(arena, bool, rows->n);

    for (size_t r = 0; r < rows->n; r++) {
        marks[r] = ARENA_ARRAY(arena, bool, rows->items[r].line.words.n);
        divided[r] = false;
        for (size_t i = 0; i < rows->items[r].n; i++)
            divided[r] |= mark_narrow(rows, r, &rows->items[r].segments[i], marks[r]);
    }
    for (size_t r = 0; r < rows->n; r++)
        if (divided[r])
            cut(arena, &rows->items[r], marks[r]);
}

struct row_list rows_make(struct arena *arena, const struct line_list *lines)
{
    struct row_list rows = { .items = ARENA_ARRAY(arena, struct row, lines->n) };

    for (size_t i = 0; i < lines->n;) {
        struct row *row = &rows.items[rows.n];
        size_t first = i;

        *row = (struct row){ 0 };
        do
            add_row_line(arena, row, &lines->items[i++]);
        while (i < lines->n && is_level(&lines->items[i - 1], &lines->items[i]) &&
               is_level(&lines->items[first], &lines->items[i]));
        if (i == first + 1 && i + 1 < lines->n &&
            is_between(&lines->items[first], &lines->items[i], &lines->items[i + 1]))
            add_row_line(arena, row, &lines->items[i++]);
        if (row->line.words.n == 0)
            continue;
        cut(arena, row, NULL);
        rows.n++;
    }
    divide(arena, &rows);
    return rows;
}
