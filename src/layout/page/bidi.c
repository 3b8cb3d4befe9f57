#include "layout/page/bidi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SPACE  0.1F  /* sizes between two words with a space between them, at least */
#define LOOSE  0.05F /* the same, where the file has a space */
#define AFTER  3.0F  /* a sign that ends a sentence at one end of the line, and none at the other */
#define ALIGN  2.0F  /* lines that are at one edge of the column and away from the other */
#define LETTER 2.0F  /* the outermost letters are of one direction */
#define PAGE   1.0F  /* most letters of the page are */
#define EDGE   1.5F  /* points between an edge and a line there, at most */
#define AWAY   2.0F  /* sizes between an edge and a line that is away from it, at least */

bool bidi_has_letters(const struct line *line)
{
    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++)
            if (bidi_is_letter_rtl(line->words.items[i]->glyphs[k].code))
                return true;
    return false;
}

/* -1: from left to right, 1: from right to left, 0: neither. */
static int direction_of(uint32_t code)
{
    return bidi_is_letter_rtl(code) ? 1 : bidi_is_letter_ltr(code) ? -1 : 0;
}

/* What the letters of a paragraph say. */
struct letters {
    float rtl, ltr;  /* words */
    int left, right; /* directions of the outermost letters of the first line */
    bool backwards;  /* tokens were drawn from right to left */
    bool forwards;
};

static void count_word(const struct word *word, struct letters *letters)
{
    bool rtl = false, ltr = false;

    for (size_t i = 0; i < word->n_glyphs; i++) {
        int direction = direction_of(word->glyphs[i].code);

        rtl = rtl || direction > 0;
        ltr = ltr || direction < 0;
    }
    letters->rtl += rtl;
    letters->ltr += ltr;
}

static int outermost(const struct line *line, bool left)
{
    int found = 0;
    float at = 0;

    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++) {
            const struct glyph *glyph = &line->words.items[i]->glyphs[k];
            int direction = direction_of(glyph->code);

            if (direction && (!found || (left ? glyph->x0 < at : glyph->x1 > at))) {
                found = direction;
                at = left ? glyph->x0 : glyph->x1;
            }
        }
    return found;
}

static struct letters study(const struct line *lines, size_t n)
{
    struct letters letters = { .left = outermost(&lines[0], true),
                               .right = outermost(&lines[0], false) };

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lines[i].words.n; k++) {
            const struct word *word = lines[i].words.items[k], *next = word;

            count_word(word, &letters);
            if (k + 1 < lines[i].words.n)
                next = lines[i].words.items[k + 1];
            letters.backwards = letters.backwards || next->glyphs < word->glyphs;
            letters.forwards = letters.forwards || next->glyphs > word->glyphs;
        }
    return letters;
}

static bool ends_sentence(uint32_t c)
{
    return c == '.' || c == ':' || c == '!' || c == '?' || c == ',' || c == ';' || c == 0x61f ||
           c == 0x60c || c == 0x61b || c == 0x6d4;
}

/* The outermost glyph of a word. */
static const struct glyph *edge_of(const struct word *word, bool left)
{
    const struct glyph *found = word->glyphs;

    for (size_t i = 1; i < word->n_glyphs; i++)
        if (left ? word->glyphs[i].x0 < found->x0 : word->glyphs[i].x1 > found->x1)
            found = &word->glyphs[i];
    return found;
}

static bool ends_at(const struct word *word, bool left)
{
    return word->n_glyphs > 1 && ends_sentence(edge_of(word, left)->code);
}

/* Which direction the letters of a word have; 0: both or none. */
static int direction_of_word(const struct word *word)
{
    struct letters letters = { 0 };

    count_word(word, &letters);
    return (int) letters.rtl - (int) letters.ltr;
}

/* A sign that ends a sentence is at the left end of a line from right to left, and at the left of
 * a word that a word of the other direction follows. */
static float weigh_ends(const struct line *line)
{
    const struct word_list *words = &line->words;
    float weight =
        AFTER * (float) (ends_sentence(edge_of(words->items[0], true)->code) -
                         ends_sentence(edge_of(words->items[words->n - 1], false)->code));

    for (size_t i = 0; i + 1 < words->n; i++) {
        const struct word *a = words->items[i], *b = words->items[i + 1];

        if (direction_of_word(a) * direction_of_word(b) < 0)
            weight += AFTER * (float) (ends_at(b, true) - ends_at(a, false));
    }
    return weight;
}

static float weigh_place(const struct line *lines, size_t n, const struct column *column)
{
    float left = INFINITY, right = INFINITY, most_left = 0, most_right = 0, size = lines[0].size;

    for (size_t i = 0; i < n; i++) {
        left = fminf(left, lines[i].area.x0 - column->x0);
        right = fminf(right, column->x1 - lines[i].area.x1);
        most_left = fmaxf(most_left, lines[i].area.x0 - column->x0);
        most_right = fmaxf(most_right, column->x1 - lines[i].area.x1);
    }
    if (right < EDGE && most_left > AWAY * size && (left > EDGE || most_right < EDGE))
        return ALIGN;
    if (left < EDGE && most_right > AWAY * size && (right > EDGE || most_left < EDGE))
        return -ALIGN;
    return 0;
}

/* A line of digits and signs, among text from right to left: its numbers were drawn so, or the sign
 * of the only one is at its right. */
static bool is_rtl_number(const struct line *lines, size_t n, const struct letters *letters)
{
    const struct word_list *words = &lines[0].words;
    const struct word *last = words->items[words->n - 1];
    uint32_t sign = last->glyphs[last->n_glyphs - 1].code;

    if (letters->backwards)
        return true;
    return n == 1 && words->n == 1 && last->n_glyphs > 1 && (sign == '-' || sign == 0x2212) &&
           bidi_is_digit(last->glyphs[last->n_glyphs - 2].code);
}

bool bidi_is_rtl(const struct page_content *content, const struct line *lines, size_t n,
                 const struct column *column)
{
    struct letters letters = study(lines, n);
    float sum = letters.rtl + letters.ltr, weight;

    if (letters.rtl == 0)
        return letters.ltr == 0 && content->rtl && is_rtl_number(lines, n, &letters);
    if (letters.ltr == 0)
        return true;
    weight = 4 * (letters.rtl - letters.ltr) / sum + (content->rtl ? PAGE : -PAGE);
    if (letters.left == letters.right)
        weight += LETTER * (float) letters.left;
    return weight + weigh_ends(&lines[n - 1]) + weigh_place(lines, n, column) > 0;
}

/* A character with the further ones of its glyph. */
struct cluster {
    const struct word *word;
    const struct glyph *glyphs;
    size_t n;
};

struct visual {
    struct cluster *clusters;
    struct bidi_sign *signs; /* one for each cluster */
    size_t n;
};

static int by_place(const void *a, const void *b)
{
    const struct glyph *p = ((const struct cluster *) a)->glyphs,
                       *q = ((const struct cluster *) b)->glyphs;

    return p->x0 < q->x0 ? -1 : p->x0 > q->x0 ? 1 : p < q ? -1 : p > q;
}

/* Whether the glyphs of a word are in the order in which they stand, from left to right, whatever
 * their places: marks of Latin letters are drawn over them. */
static bool is_in_order(const struct word *word)
{
    bool ltr = false;

    for (size_t i = 0; i < word->n_glyphs; i++) {
        int direction = direction_of(word->glyphs[i].code);

        if (direction > 0)
            return false;
        ltr = ltr || direction < 0;
    }
    return ltr;
}

static void add_word(struct visual *visual, const struct word *word)
{
    size_t from = visual->n;

    for (size_t i = 0; i < word->n_glyphs; i++) {
        if (i == 0 || !(word->glyphs[i].flags & GLYPH_MORE))
            visual->clusters[visual->n++] = (struct cluster){ word, &word->glyphs[i], 0 };
        visual->clusters[visual->n - 1].n++;
    }
    if (!is_in_order(word))
        qsort(visual->clusters + from, visual->n - from, sizeof *visual->clusters, by_place);
}

static bool has_gap(const struct word *a, const struct word *b)
{
    float gap = b->area.x0 - a->area.x1, size = fmaxf(a->size, b->size);

    return gap > SPACE * size || ((a->space || b->space) && gap > LOOSE * size);
}

/* Words that do not stand on one line, as on a page that was not understood. */
static bool is_scattered(const struct line *line)
{
    for (size_t i = 1; i < line->words.n; i++)
        if (fabsf(line->words.items[i]->glyphs->base - line->words.items[0]->glyphs->base) >
            line->words.items[0]->size)
            return true;
    return false;
}

static struct visual find_visual(struct arena *arena, const struct line *line, size_t skip,
                                 const bool *tabs)
{
    struct visual visual = { 0 };
    size_t n = line->words.n - skip, room = n;
    struct word **words = ARENA_ARRAY(arena, struct word *, n + 1);
    bool scattered = is_scattered(line);
    const struct glyph *first = n ? line->words.items[skip]->glyphs : NULL;

    for (size_t i = 0; i < n; i++) {
        words[i] = line->words.items[skip + i];
        room += words[i]->n_glyphs;
        first = words[i]->glyphs < first ? words[i]->glyphs : first;
    }
    if (n && !scattered && !tabs)
        qsort(words, n, sizeof *words, words_by_x);
    visual.clusters = ARENA_ARRAY(arena, struct cluster, room + 1);
    visual.signs = ARENA_ARRAY(arena, struct bidi_sign, room + 1);
    for (size_t i = 0; i < n; i++) {
        bool tab = tabs && tabs[skip + i] && i > 0;

        if (i > 0 && (tab || scattered || has_gap(words[i - 1], words[i])))
            visual.clusters[visual.n++] = (struct cluster){ words[i], NULL, tab };
        add_word(&visual, words[i]);
    }
    for (size_t i = 0; i < visual.n; i++) {
        const struct cluster *cluster = &visual.clusters[i];

        visual.signs[i].code = cluster->glyphs ? cluster->glyphs->code : cluster->n ? '\t' : ' ';
        visual.signs[i].drawn = cluster->glyphs ? (uint32_t) (cluster->glyphs - first) : 0;
    }
    return visual;
}

static bool is_white(const struct visual *visual, size_t i)
{
    return i >= visual->n || !visual->clusters[i].glyphs;
}

/* Whether brackets in text from right to left are in the file as the shapes that they have on the
 * page, and not as the characters that they are: a bracket that opens has white space before it,
 * and one that closes after it. */
static bool shows_shapes(const struct visual *visual)
{
    int shapes = 0, open = 0;

    for (size_t i = 0; i < visual->n; i++) {
        int kind = visual->signs[i].odd ? bidi_bracket(visual->signs[i].code) : 0;
        bool left = is_white(visual, i - 1), right = is_white(visual, i + 1);

        if (kind && left != right)
            shapes += (kind > 0) == left ? 2 : -2;
        if (kind && open)
            shapes += open > kind ? 1 : open < kind ? -1 : 0;
        open = kind ? kind : open;
    }
    return shapes > 0;
}

struct bidi_item *bidi_read(struct arena *arena, const struct line *line, size_t skip, bool rtl,
                            const bool *tabs, enum bidi_letter *last, size_t *n)
{
    struct visual visual = find_visual(arena, line, skip, tabs);
    struct bidi_item *items = ARENA_ARRAY(arena, struct bidi_item, visual.n + 1);
    size_t *order = ARENA_ARRAY(arena, size_t, visual.n + 1);
    bool shapes;

    bidi_order(visual.signs, visual.n, rtl, last, order);
    shapes = shows_shapes(&visual);
    for (size_t i = 0; i < visual.n; i++) {
        const struct cluster *cluster = &visual.clusters[order[i]];
        const struct bidi_sign *sign = &visual.signs[order[i]];
        uint32_t mirrored = shapes && sign->odd ? bidi_mirrored(sign->code) : 0;

        items[i] = (struct bidi_item){ .word = cluster->word,
                                       .glyphs = cluster->glyphs,
                                       .n_glyphs = cluster->glyphs ? cluster->n : 0,
                                       .code = mirrored ? mirrored : sign->code,
                                       .rtl = sign->rtl };
    }
    *n = visual.n;
    return items;
}

static void reverse(size_t *order, size_t n)
{
    for (size_t i = 0; i + i + 1 < n; i++) {
        size_t kept = order[i];

        order[i] = order[n - 1 - i];
        order[n - 1 - i] = kept;
    }
}

/* The end of the number that begins at `from`. */
static size_t number_end(const struct word *word, size_t from)
{
    size_t end = from;

    for (size_t i = from; i < word->n_glyphs; i++) {
        uint32_t c = word->glyphs[i].code;

        if (bidi_is_digit(c))
            end = i + 1;
        else if (end != i || !bidi_is_separator(c))
            break;
    }
    return end;
}

void bidi_digits(const struct word *word, size_t *order)
{
    for (size_t i = 0; i < word->n_glyphs; i++)
        order[i] = i;
    for (size_t i = 0; i < word->n_glyphs; i++) {
        size_t end = number_end(word, i);

        if (end > i + 1 && word->glyphs[i].x0 > word->glyphs[end - 1].x0)
            reverse(order + i, end - i);
        if (end > i)
            i = end - 1;
    }
}
