#include "layout/paragraph/joins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layout/page/bidi.h"
#include "layout/page/sentence.h"
#include "layout/paragraph/quotes.h"
#include "layout/paragraph/verbatim.h"

#define WIDE         1.7F  /* sizes: a gap that is a tab */
#define NARROW       5     /* lines of a column of text that is narrower than the page, at least */
#define FILLED       0.7F  /* of them: those that are full, at least */
#define EVEN         0.5F  /* points between the ends of lines that end at one margin, at most */
#define RAGGED_WORDS 6     /* of a line that can end before its margin, at least */
#define RAGGED_ROOM  0.25F /* of the column: what it can leave free, at most */
#define MARGIN       0.3F  /* of the lines of a column: those that end at the margin, at least */
#define BEYOND       0.25F /* of them: those that go beyond it, at most */

static int by_value(const void *a, const void *b)
{
    float p = *(const float *) a, q = *(const float *) b;

    return p < q ? -1 : p > q;
}

/* Lines of a cell can go as near to one edge as to the other. */
static void study_cell(struct joins *joins, const struct flow *flow, const struct line_list *lines)
{
    float left = flow->column.x1;

    for (size_t i = 0; i < lines->n; i++)
        left = fminf(left, lines->items[i].area.x0);
    /* Lines that take but a third of it are as short as they were meant to be. */
    if (joins->right - left < 0.36F * (flow->column.x1 - flow->column.x0))
        return;
    joins->inset = fmaxf(fminf(left - flow->column.x0, flow->column.x1 - joins->right), 0);
    joins->right =
        fmaxf(joins->right, flow->reach > 0 ? fminf(flow->reach, flow->column.x1 - joins->inset)
                                            : flow->column.x1 - joins->inset);
}

/* Whether most lines go as far as the longest, because the next one's first word had no room, and
 * half of them go on with a small letter, which those of addresses do not. They are a
 * column of text that is narrower than the page, as the last one of a document in two columns. */
static bool is_narrow(const struct joins *joins, const struct line_list *lines)
{
    size_t pairs = 0, full = 0, small = 0;

    for (size_t i = 0; i + 1 < lines->n; i++) {
        const struct line *a = &lines->items[i], *b = a + 1;

        if (fabsf(a->area.x0 - b->area.x0) > 0.5F * a->size || b->base - a->base > 2 * a->size)
            continue;
        pairs++;
        small += sentence_runs_on(a, b);
        full += a->area.x1 + 0.25F * a->size + words_first_width(b) > joins->right;
    }
    return pairs >= NARROW && small * 2 >= pairs && (float) full >= FILLED * (float) pairs;
}

/* The margin where most lines end, although a few go beyond it, as those that TeX could not break
 * or those of a program do; 0 if there is no such margin. The lines of a column are compared with
 * it: compared with the longest line, each other one would seem to have had room for the next word.
 */
static float find_margin(const struct joins *joins, const struct flow *flow,
                         const struct line_list *lines)
{
    float *rights = ARENA_ARRAY(flow->arena, float, lines->n);
    size_t most = 0, at = 0, n = 0;

    for (size_t i = 0; i < lines->n; i++)
        if (!joins->mixed || !words_are_typed(flow->content, &lines->items[i]))
            rights[n++] = lines->items[i].area.x1;
    if (n)
        qsort(rights, n, sizeof *rights, by_value);
    for (size_t i = 0, k = 0; i < n; i++) {
        while (rights[i] - rights[k] > EVEN)
            k++;
        if (i - k + 1 > most) {
            most = i - k + 1;
            at = i;
        }
    }
    if (most < NARROW || (float) most < MARGIN * (float) n ||
        (float) (n - 1 - at) > BEYOND * (float) most)
        return 0;
    return rights[at];
}

static bool is_latin(const struct word *word)
{
    for (size_t i = 0; i < word->n_glyphs; i++)
        if (bidi_is_letter_ltr(word->glyphs[i].code))
            return true;
    return false;
}

/* The width of the word that is read first in a line from right to left: of several Latin ones at
 * its right end, the leftmost. */
static float first_width_rtl(const struct line *line)
{
    size_t first = line->words.n - 1;

    while (first > 0 && is_latin(line->words.items[first]) &&
           is_latin(line->words.items[first - 1]))
        first--;
    return area_width(&line->words.items[first]->area);
}

/* Whether the column takes all of the page's text. */
static bool is_only_column(const struct flow *flow)
{
    const struct margins *margins = &flow->survey->margins;

    return !flow->in_cell && flow->column.x0 < margins->left + 1 &&
           flow->column.x1 > flow->content->width - margins->right - 1;
}

/* Where lines that are read from right to left end. If few go as far as the longest, they are short
 * ones, and the margin is as wide as that on the right. */
static float find_left(const struct flow *flow, const struct line_list *lines)
{
    float left = flow->column.x1, even = flow->content->width - flow->column.x1;
    size_t n = 0, full = 0;

    for (size_t i = 0; i < lines->n; i++)
        if (bidi_has_letters(&lines->items[i]))
            left = fminf(left, lines->items[i].area.x0);
    for (size_t i = 0; i + 1 < lines->n; i++)
        if (bidi_has_letters(&lines->items[i])) {
            n++;
            full += lines->items[i].area.x0 - 0.25F * lines->items[i].size -
                        first_width_rtl(&lines->items[i + 1]) <
                    left;
        }
    if (is_only_column(flow) && left > even && full * 2 < n)
        return even;
    return left > flow->column.x0 + 0.25F * (flow->column.x1 - flow->column.x0) ? flow->column.x0
                                                                                : left;
}

void joins_study(struct joins *joins, const struct flow *flow, const struct line_list *lines)
{
    float *gaps = ARENA_ARRAY(flow->arena, float, lines->n);
    size_t n = 0, typed = 0;
    float margin;

    *joins = (struct joins){ .right = flow->column.x0 };
    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->items[i];

        joins->right = fmaxf(joins->right, line->area.x1);
        typed += words_are_typed(flow->content, line);
        if (i + 1 < lines->n && fabsf(line[1].size - line->size) < 0.1F * line->size &&
            line[1].base - line->base < 3 * line->size && line[1].base > line->base + 1)
            gaps[n++] = (line[1].base - line->base) / line->size;
    }
    if (n > 2) {
        qsort(gaps, n, sizeof *gaps, by_value);
        joins->leading = gaps[n / 2];
    }
    joins->mixed = !flow->in_cell && typed * 2 < lines->n;
    margin = flow->in_cell ? 0 : find_margin(joins, flow, lines);
    if (flow->in_cell)
        study_cell(joins, flow, lines);
    else if (margin > 0)
        joins->right = margin;
    else if (flow->is_block && !is_narrow(joins, lines))
        joins->right = flow->content->width;
    else if (joins->right < flow->column.x1 - 0.25F * (flow->column.x1 - flow->column.x0) &&
             !is_narrow(joins, lines))
        joins->right = flow->column.x1;
    joins->left = find_left(flow, lines);
    quotes_study(joins, flow, lines);
    joins->verbatim = !flow->in_cell && verbatim_is_column(joins, flow->content, lines);
}

static float gap_before(const struct line *line, size_t i)
{
    return line->words.items[i]->area.x0 - line->words.items[i - 1]->area.x1;
}

/* One or two words and then more room than between any others: "NOTE 1   The text". */
static bool is_lead(const struct line *line, size_t i)
{
    float most = 0;

    if (i > 2 || i + 2 >= line->words.n || gap_before(line, i) < 0.7F * line->size ||
        gap_before(line, i) > 6 * line->size)
        return false;
    for (size_t k = 1; k < line->words.n; k++)
        if (k != i)
            most = fmaxf(most, gap_before(line, k));
    return gap_before(line, i) > 1.8F * most;
}

/* The value after a field's name: "Date:  1 May". */
static bool is_value(const struct line *line, size_t i)
{
    const struct word *before = line->words.items[i - 1];

    return gap_before(line, i) > 0.8F * line->size &&
           line->words.items[i]->glyphs->flags & GLYPH_FIRST &&
           before->glyphs[before->n_glyphs - 1].code == ':';
}

bool joins_hangs(const struct line *line, const struct line *next, size_t i)
{
    size_t before = 0;

    if (i == 0 || i > 2 || i >= line->words.n)
        return false;
    for (size_t k = 0; k < i; k++)
        before += line->words.items[k]->n_glyphs;
    return before <= 8 && gap_before(line, i) > 0.3F * line->size &&
           next->area.x0 > line->area.x0 + 0.4F * line->size &&
           fabsf(line->words.items[i]->area.x0 - next->area.x0) < 0.25F * line->size;
}

static bool is_wide(const struct line *line, size_t i)
{
    return line->words.items[i]->role == ROLE_AFTER_DOTS ||
           gap_before(line, i) > WIDE * line->size || is_value(line, i);
}

bool joins_is_tab(const struct line *line, size_t i)
{
    return is_wide(line, i) || is_lead(line, i);
}

bool joins_is_gapped(const struct line *line, size_t skip)
{
    for (size_t i = skip + 1; i < line->words.n; i++)
        if (is_wide(line, i) && !is_lead(line, i))
            return true;
    return false;
}

bool joins_label(const struct flow *flow, const struct line *line, struct label *label,
                 size_t *text)
{
    uint32_t codes[8];
    const struct word *word = line->words.items[0];
    float gap;

    if (line->words.n < 2 || word->n_glyphs > 7 || word->field ||
        is_rtl(line->words.items[1]->glyphs->code))
        return false;
    for (size_t i = 0; i < word->n_glyphs; i++)
        codes[i] = word->glyphs[i].code;
    /* The bullet that Word gives second levels. */
    if (word->n_glyphs == 1 && codes[0] == 'o' &&
        word->glyphs->font != line->words.items[1]->glyphs->font &&
        strcmp(flow->content->fonts[word->glyphs->font].family, "Courier New") == 0)
        codes[0] = 0x25e6;
    if (!numbering_read_label(codes, word->n_glyphs, label))
        return false;
    gap = line->words.items[1]->area.x0 - word->area.x1;
    label->tagged = flow->content->tags && word->glyphs->tag &&
                    flow->content->tags[word->glyphs->tag].kind == TAG_LABEL;
    if (!label->tagged &&
        (gap > 5 * line->size || gap < (label->kind == LABEL_BULLET ? 0.2F : 0.12F) * line->size))
        return false;
    if (!label->tagged && label->kind == LABEL_BULLET && label->bullet == 0x2013 &&
        gap < 0.4F * line->size)
        return false;
    /* A number with a point is one of a text where no more than a space is after it. */
    if (label->kind == LABEL_OUTLINE && gap < 0.3F * line->size)
        return false;
    label->color = word->glyphs->color;
    label->size = word->size;
    label->font = word->glyphs->font;
    label->narrow = gap < 0.4F * line->size;
    label->x = word->area.x0 - flow->column.x0;
    label->text = line->words.items[1]->area.x0 - flow->column.x0;
    *text = 1;
    return true;
}

static bool same_middle(const struct line *a, const struct line *b)
{
    float mid = (a->area.x0 + a->area.x1) / 2 - (b->area.x0 + b->area.x1) / 2;

    return fabsf(mid) < 0.3F * a->size;
}

/* One below the other in the middle. A line from the very left edge, below one that is not, is a
 * paragraph's whose first line is indented. */
static bool centered(const struct flow *flow, const struct line *a, const struct line *b)
{
    return same_middle(a, b) && fabsf(a->area.x0 - b->area.x0) > 0.5F * a->size &&
           (flow->in_cell || a->area.x0 < b->area.x0 || b->area.x0 > flow->column.x0 + 1);
}

/* How wide spaces are, in sizes. */
static float white_of(const struct line *line)
{
    float white = 0;

    for (size_t i = 1; i < line->words.n; i++)
        white += gap_before(line, i);
    return line->words.n > 1 ? white / (float) (line->words.n - 1) / line->size : 0;
}

/* One below the other at the right edge, and at no left one; and not made as long as each other. */
static bool righted(const struct joins *joins, const struct flow *flow, const struct line *a,
                    const struct line *b)
{
    float inside = flow->column.x0 + 2 * a->size;

    return !flow->in_cell && fabsf(white_of(a) - white_of(b)) < 0.012F &&
           fabsf(a->area.x1 - b->area.x1) < 0.15F * a->size &&
           joins->right - a->area.x1 < 0.3F * a->size &&
           fabsf(a->area.x0 - b->area.x0) > 0.5F * a->size &&
           fminf(a->area.x0, b->area.x0) > inside;
}

/* The next line of an item of a list begins where the text after the label does, even if both lines
 * happen to have one middle or to end at one place. */
static bool hangs_from_label(const struct flow *flow, const struct line *a, const struct line *b)
{
    struct label label;
    size_t text;

    return joins_label(flow, a, &label, &text) &&
           fabsf(b->area.x0 - a->words.items[text]->area.x0) < 0.25F * a->size;
}

/* Whether the next line's first word would have had room at the end of this one. */
static bool had_room(const struct joins *joins, const struct flow *flow, const struct line *a,
                     const struct line *b)
{
    float room = joins->rights[a - joins->first] - a->area.x1;

    if (hangs_from_label(flow, a, b))
        return words_first_width(b) + 0.25F * a->size < room - 0.35F * a->size;
    if (righted(joins, flow, a, b))
        room = a->area.x0 - flow->column.x0;
    else if (centered(flow, a, b))
        room = fmaxf(joins->right - flow->column.x0, area_width(&b->area)) - area_width(&a->area);
    else if (flow->in_cell && fabsf(a->area.x1 - b->area.x1) < 0.3F * a->size) {
        float left = a->area.x0 - flow->column.x0 - joins->inset;

        /* In the middle of the cell, it could have taken both. */
        room = fabsf(left - room) < 0.3F * a->size ? left + room : fmaxf(room, left);
    }
    return words_first_width(b) + 0.25F * a->size < room - 0.35F * a->size;
}

/* Whether a word is divided by the end of a line: then its paragraph goes on, however much room
 * there was. */
static bool is_divided(const struct line *a, const struct line *b)
{
    const struct word *last = a->words.items[a->words.n - 1];
    uint32_t end = last->glyphs[last->n_glyphs - 1].code, next = b->words.items[0]->glyphs->code;

    return (end == '-' || end == 0xad || end == 0x2010) && last->n_glyphs > 2 &&
           last->glyphs[last->n_glyphs - 2].code - 'a' < 26 && next - 'a' < 26;
}

/* Whether the end of a ragged line, or of one in a narrower box than the rest, is within a
 * sentence. */
static bool is_ragged(const struct joins *joins, const struct flow *flow, const struct line *a,
                      const struct line *b)
{
    float room = joins->rights[a - joins->first] - a->area.x1;

    return !flow->in_cell && a->words.n >= RAGGED_WORDS && sentence_runs_on(a, b) &&
           room < RAGGED_ROOM * (flow->column.x1 - flow->column.x0) &&
           fabsf(a->area.x0 - b->area.x0) < 0.4F * a->size;
}

static bool same_look(const struct flow *flow, const struct line *a, const struct line *b)
{
    if (fabsf(a->size - b->size) > 0.08F * a->size)
        return false;
    (void) flow;
    return !(a->bold && !a->mixed && !b->bold && !b->mixed) && !(b->bold && !a->bold && !a->mixed);
}

static bool leads_on(const struct joins *joins, const struct line *lines, size_t n)
{
    const struct line *a = &lines[n - 1], *b = &lines[n];
    float gap = b->base - a->base, most = 1.75F;
    /* By formulas, but not those that are set apart. */
    float taller = b->area.x0 < a->area.x0 + 0.4F * a->size ? a->under + b->over : 0;

    if (gap < 0.5F * a->size)
        return false;
    if (n > 1) {
        float own = words_pitch(lines, n);
        return fabsf(gap - own) < 0.16F * own || (gap > own && gap - taller < 1.16F * own);
    }
    gap -= fminf(taller, 0.8F * gap);
    if (joins->leading > 0)
        most = fminf(fmaxf(joins->leading * 1.2F, 1.3F), 2.7F);
    /* Among lines that are nearer to each other: what begins with a small letter, below a line that
     * is full, goes on all the same. */
    return gap < most * a->size || (gap < 2.8F * a->size && sentence_runs_on(a, b) &&
                                    fabsf(a->area.x0 - b->area.x0) < 0.4F * a->size);
}

/* The tag of most of a line: of its first word that has one; 0. */
static uint32_t tag_of(const struct line *line)
{
    for (size_t i = 0; i < line->words.n; i++)
        if (line->words.items[i]->glyphs->tag)
            return line->words.items[i]->glyphs->tag;
    return 0;
}

/* What a tagged PDF says of two lines: whether the second goes on in the first's paragraph. */
enum said { SAID_NOTHING, SAID_NO, SAID_YES };

static enum said tags_say(const struct joins *joins, const struct flow *flow, const struct line *a,
                          const struct line *b)
{
    const struct word_list *words = &a->words;
    uint32_t before = words->items[words->n - 1]->glyphs->tag, after = tag_of(b);

    if (!flow->content->tags || !before || !after)
        return SAID_NOTHING;
    if (before != after)
        return SAID_NO;
    /* Some writers put many paragraphs into one element: they leave room between them. */
    return joins->leading > 0 && b->base - a->base > 1.4F * joins->leading * a->size ? SAID_NOTHING
                                                                                     : SAID_YES;
}

/* Lines of a program: in a text in another font, or among other such lines, none belongs to the
 * line above it; else an indented line does not, except in a reference ("[1] A. Author"), and in a
 * box lines continue only if they are full. */
static bool is_code(const struct joins *joins, const struct flow *flow, const struct line *a,
                    const struct line *b)
{
    float indent = b->area.x0 - a->area.x0;
    uint32_t first = a->words.items[0]->glyphs->code;

    if ((joins->mixed || joins->verbatim) && words_are_typed(flow->content, a) &&
        words_are_typed(flow->content, b))
        return true;
    if (first == '[' || first == '(' || first - '0' < 10 || !words_are_typed(flow->content, a) ||
        !words_are_typed(flow->content, b))
        return false;
    if (flow->in_cell)
        return fabsf(indent) > 0.4F * a->size ||
               flow->column.x1 - a->area.x1 > 0.1F * (flow->column.x1 - flow->column.x0);
    return indent > 0.4F * a->size;
}

/* The raised number of a note, in text that is smaller than most. */
static bool begins_note(const struct flow *flow, const struct line *line)
{
    const struct word *word = line->words.items[0];

    return line->words.n > 1 && word->n_glyphs < 4 && word->glyphs->code - '0' < 10 &&
           word->glyphs[word->n_glyphs - 1].code - '0' < 10 && word->size < 0.85F * line->size &&
           line->base - word->base > 0.12F * line->size && line->size < 0.93F * flow->survey->body;
}

/* The number of up to three digits that a line begins with, right before a capital letter; or 0. */
static unsigned glued_number(const struct line *line)
{
    const struct word *word = line->words.items[0];
    unsigned number = 0;
    size_t i = 0;

    while (i < word->n_glyphs && i < 4 && word->glyphs[i].code - '0' < 10)
        number = number * 10 + word->glyphs[i++].code - '0';
    return i > 0 && i < 4 && i < word->n_glyphs && word->glyphs[i].code - 'A' < 26 ? number : 0;
}

/* In text that is smaller than most, a note whose number is not raised, after the one before. */
static bool begins_next_note(const struct flow *flow, const struct line *first,
                             const struct line *line)
{
    unsigned number = glued_number(first);

    return number > 0 && glued_number(line) == number + 1 &&
           line->size < 0.93F * flow->survey->body;
}

/* Whether a line from right to left begins with the label of a list: the sign that it is read with
 * first is a bullet, or a number with a point or a bracket. */
static bool begins_item_rtl(const struct line *line)
{
    const struct word *word = line->words.items[line->words.n - 1];
    uint32_t codes[4];
    struct label label;
    size_t n = 0;

    if (line->words.n < 2 || word->n_glyphs > 4 ||
        word->area.x0 - line->words.items[line->words.n - 2]->area.x1 < 0.12F * line->size)
        return false;
    for (size_t i = 0; i < word->n_glyphs; i++)
        if (bidi_is_digit(word->glyphs[i].code))
            codes[n++] = word->glyphs[i].code;
    for (size_t i = 0; i < word->n_glyphs; i++)
        if (!bidi_is_digit(word->glyphs[i].code))
            codes[n++] = word->glyphs[i].code;
    return numbering_read_label(codes, n, &label);
}

/* Whether lines that are read from right to left are centred: neither of their edges is that of the
 * column or of the other. */
static bool centered_rtl(const struct line *a, const struct line *b)
{
    return same_middle(a, b) && fabsf(a->area.x1 - b->area.x1) > 0.5F * a->size;
}

/* What joins_next does for lines that are read from right to left: the mirror image. */
static bool joins_rtl(const struct joins *joins, const struct flow *flow, const struct line *lines,
                      size_t n)
{
    const struct line *a = &lines[n - 1], *b = &lines[n];
    float room = a->area.x0 - joins->left, indent = a->area.x1 - b->area.x1;

    if (begins_item_rtl(b))
        return false;
    if (fabsf(indent) > 0.5F * a->size && fabsf(a->area.x0 - b->area.x0) < 0.5F * a->size)
        return first_width_rtl(b) + 0.6F * a->size > joins->right - a->area.x1;
    if (centered_rtl(a, b))
        return first_width_rtl(b) < area_width(&b->area) + 1 &&
               first_width_rtl(b) + 0.25F * a->size >
                   flow->column.x1 - flow->column.x0 - area_width(&a->area);
    if (first_width_rtl(b) + 0.25F * a->size < room - 0.35F * a->size)
        return false;
    if (n == 1)
        return fabsf(indent) < 6 * a->size && (indent < 0.4F * a->size || !sentence_ends(a));
    return fabsf(indent) < 0.5F * a->size;
}

bool joins_next(const struct joins *joins, const struct flow *flow, const struct line *lines,
                size_t n)
{
    const struct line *a = &lines[n - 1], *b = &lines[n], *first = &lines[0];
    struct label label, other;
    size_t text = 0, other_text;
    enum said said = tags_say(joins, flow, a, b);
    bool listed;
    float left;

    if (said == SAID_NO ||
        (said == SAID_NOTHING && (begins_note(flow, b) || begins_next_note(flow, first, b))))
        return false;
    if (said == SAID_NOTHING && (!same_look(flow, a, b) || !leads_on(joins, lines, n)))
        return false;
    if (is_code(joins, flow, a, b) || verbatim_is_rule(a) || verbatim_is_rule(b) ||
        (said == SAID_NOTHING && verbatim_parts_amounts(a, b, n == 1 && !flow->in_cell)))
        return false;
    listed = joins_label(flow, first, &label, &text) &&
             (label.kind != LABEL_OUTLINE || numbering_continues(flow->numbering, &label));
    if (said == SAID_NOTHING && joins_label(flow, b, &other, &other_text) &&
        (other.kind == LABEL_BULLET || had_room(joins, flow, a, b) ||
         (fabsf(b->area.x0 - first->area.x0) < 2 &&
          (!other.narrow ||
           (listed && other.kind == label.kind && other.value == label.value + 1)))))
        return false;
    if (joins_is_gapped(a, n == 1 && listed ? text : 0) || joins_is_gapped(b, 0))
        return false;
    if (bidi_has_letters(a) && bidi_is_rtl(flow->content, a, 1, &flow->column))
        return joins_rtl(joins, flow, lines, n);
    if (had_room(joins, flow, a, b) && !is_divided(a, b) && !is_ragged(joins, flow, a, b))
        return false;
    if (centered(flow, a, b) || righted(joins, flow, a, b) ||
        (n > 1 && centered(flow, a - 1, a) && same_middle(a, b)))
        return true;
    if (listed)
        return fabsf(b->area.x0 - first->words.items[text]->area.x0) < 0.5F * a->size ||
               (n > 1 && fabsf(b->area.x0 - a->area.x0) < 0.3F * a->size);
    left = n > 1 ? a->area.x0 : fminf(a->area.x0, b->area.x0);
    if (n == 1 && b->area.x0 > a->area.x0 + 0.4F * a->size)
        return joins_hangs(a, b, 1) || joins_hangs(a, b, 2) ||
               (!flow->in_cell && b->area.x0 < a->area.x0 + 6 * a->size && !sentence_ends(a));
    if (n == 1 && a->area.x0 - b->area.x0 > 8 * a->size)
        return false;
    return fabsf(b->area.x0 - left) < 0.4F * a->size;
}
