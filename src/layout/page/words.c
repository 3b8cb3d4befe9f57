#include "layout/page/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "layout/page/leaders.h"

#define BESIDE        0.5F  /* distance between the baselines of one row, in font sizes */
#define GAP           0.25F /* font sizes: a space between words, at least */
#define RTL_SPACE     0.18F /* font sizes: a space between letters, at least */
#define SPACE         0.1F  /* font sizes: a gap with a space glyph in it, at least */
#define NEAR          40    /* glyphs before and after two, among which a space between them is */
#define NO_WIDTH      0.02F /* font sizes: the width of signs that are drawn over letters, at most */
#define EQUATION_SIZE 12.0F /* points */
#define JUSTIFIED     1.7F  /* font sizes: a space of a justified line, at most */
#define EVEN          0.06F /* font sizes by which such spaces differ */
#define EVEN_GAPS     3     /* of them, at least, one after the other */
#define EVEN_WORD     3     /* letters of the words between them, on average, at least */

static bool has_no_meaning(const struct glyph *glyph)
{
    return glyph->flags & GLYPH_SPACE || glyph->code == 0xfffd || glyph->code == 0;
}

/* Whether there is room for a space between two Hebrew or Arabic letters, which are drawn in either
 * direction. A vowel sign, which has no width, can be anywhere above its letter. */
static bool is_rtl_gap(const struct glyph *a, const struct glyph *b, float size)
{
    float gap = fmaxf(b->x0 - a->x1, a->x0 - b->x1), least = NO_WIDTH * size;

    return is_rtl(a->code) && is_rtl(b->code) && a->x1 - a->x0 > least && b->x1 - b->x0 > least &&
           gap > RTL_SPACE * size;
}

static bool breaks(const struct glyph *a, const struct glyph *b)
{
    float gap = b->x0 - a->x1, size = a->size > b->size ? a->size : b->size;

    if (b->flags & GLYPH_MORE && is_rtl(b->code))
        return false;
    if (b->flags & GLYPH_FIRST || fabsf(a->angle - b->angle) > 0.02F)
        return true;
    /* The text goes back to the left, as before a number in Hebrew. */
    if (a->x0 - b->x1 > 0.7F * size)
        return true;
    return fabsf(a->base - b->base) > 0.12F * size || a->size > 1.25F * b->size ||
           b->size > 1.25F * a->size ||
           (gap > GAP * size && !is_rtl(a->code) && !is_rtl(b->code)) || is_rtl_gap(a, b, size) ||
           (gap > 0.1F * size && is_cjk(a->code) && is_cjk(b->code) && gap > 0.6F * size);
}

/* Whether a space is before this glyph, between text from left to right and text from right to
 * left: also where the end of the one is next to the other, and not its first or last letter. */
static bool turns_apart(const struct page_content *content, size_t i)
{
    const struct glyph *glyphs = content->glyphs, *a = &glyphs[i - 1], *b = &glyphs[i];
    float left = a->x1, right = b->x0;

    if (is_rtl(a->code) == is_rtl(b->code))
        return false;
    for (size_t k = i; k < content->n_glyphs && is_rtl(glyphs[k].code); k++)
        right = fminf(right, glyphs[k].x0);
    for (size_t k = i; k > 0 && is_rtl(glyphs[k - 1].code); k--)
        left = fmaxf(left, glyphs[k - 1].x1);
    return right - left > GAP * fmaxf(a->size, b->size);
}

/* Whether a space glyph stands between this glyph and the one before it, one of which is from right
 * to left: the file can have it anywhere in the line. */
static bool has_space_between(const struct page_content *content, size_t i)
{
    const struct glyph *glyphs = content->glyphs, *a = &glyphs[i - 1], *b = &glyphs[i];
    float left = fminf(a->x1, b->x1), right = fmaxf(a->x0, b->x0), size = fmaxf(a->size, b->size);
    size_t end = i + NEAR < content->n_glyphs ? i + NEAR : content->n_glyphs;

    if ((!is_rtl(a->code) && !is_rtl(b->code)) || right - left < SPACE * size)
        return false;
    for (size_t k = i > NEAR ? i - NEAR : 0; k < end; k++)
        if (glyphs[k].flags & GLYPH_SPACE && fabsf(glyphs[k].base - b->base) < SPACE * size &&
            glyphs[k].x1 - glyphs[k].x0 > SPACE * size && glyphs[k].x0 > left - SPACE * size &&
            glyphs[k].x1 < right + SPACE * size)
            return true;
    return false;
}

struct place words_middle(const struct word *word)
{
    float along = (word->area.x0 + word->area.x1) / 2, across = word->base - 0.3F * word->size;
    float angle = word->glyphs->angle;

    if (!word->rotated)
        return (struct place){ along, across };
    return (struct place){ along * cosf(angle) - across * sinf(angle),
                           along * sinf(angle) + across * cosf(angle) };
}

static void start_word(struct word *word, const struct glyph *glyph, bool space)
{
    *word = (struct word){ .glyphs = glyph,
                           .base = glyph->base,
                           .size = glyph->size,
                           .area = { glyph->x0, glyph->base - ASCENT * glyph->size, glyph->x1,
                                     glyph->base + DESCENT * glyph->size },
                           .highlight = STYLE_PLAIN,
                           .space = space,
                           .rotated = (glyph->flags & GLYPH_ROTATED) != 0 };
}

static void find_link(struct word *word, const struct page_content *content)
{
    struct place at = words_middle(word);

    for (size_t i = 0; i < content->n_links && !word->link; i++)
        if (area_has(&content->links[i].area, at.x, at.y))
            word->link = &content->links[i];
}

static void find_field(struct word *word, const struct page_content *content)
{
    struct place at = words_middle(word);

    for (size_t i = 0; i < content->n_fields && !word->field; i++)
        if (area_has(&content->fields[i].area, at.x, at.y))
            word->field = &content->fields[i];
}

/* Assigns a comment to the words that it covers, or to the nearest word. */
static void place_note(const struct page_note *note, struct word *words, size_t n)
{
    float x = (note->area.x0 + note->area.x1) / 2, y = (note->area.y0 + note->area.y1) / 2;
    struct word *nearest = NULL;
    float least = INFINITY;
    bool covers = false;

    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);
        float far = hypotf(at.x - x, 3 * (at.y - y));

        if (area_has(&note->area, at.x, at.y) && !words[i].note) {
            words[i].note = note;
            covers = true;
        }
        if (far < least && !words[i].note) {
            least = far;
            nearest = &words[i];
        }
    }
    if (!covers && nearest)
        nearest->note = note;
}

/* A glyph with an unknown character counts as part of the word around it; outside of words it is
 * shown as a picture (layout/blocks/drawings.h). */
static bool stands_in_word(const struct page_content *content, size_t i)
{
    const struct glyph *glyph = &content->glyphs[i];
    const struct glyph *before = i > 0 ? glyph - 1 : NULL;
    const struct glyph *after = i + 1 < content->n_glyphs ? glyph + 1 : NULL;

    return (before && !has_no_meaning(before) && !is_rtl(before->code) && !breaks(before, glyph)) ||
           (after && !has_no_meaning(after) && !is_rtl(after->code) && !breaks(glyph, after));
}

bool words_is_apart(const struct word *word)
{
    return word->claimed_by == OWNER_HEADER_FOOTER || word->claimed_by == OWNER_CHART ||
           word->role == ROLE_LABEL || word->role == ROLE_LEADER || word->role == ROLE_ELSEWHERE;
}

void words_set_elsewhere(struct page *page, const struct area *area, float more, bool elsewhere)
{
    struct area wide = { area->x0 - more, area->y0 - more, area->x1 + more, area->y1 + more };

    for (size_t i = 0; i < page->n_words; i++) {
        struct place at = words_middle(&page->words[i]);

        if (area_has(&wide, at.x, at.y))
            page->words[i].role = elsewhere ? ROLE_ELSEWHERE : ROLE_TEXT;
    }
}

struct word *words_find(struct arena *arena, const struct page_content *content, size_t *n)
{
    struct word *words = ARENA_ARRAY(arena, struct word, content->n_glyphs);
    struct word *word = NULL;
    bool space = false, *dots = leaders_find(arena, content);

    *n = 0;
    for (size_t i = 0; i < content->n_glyphs; i++) {
        const struct glyph *glyph = &content->glyphs[i];

        if (has_no_meaning(glyph) && (glyph->code != 0xfffd || !stands_in_word(content, i))) {
            word = NULL;
            space = true;
            continue;
        }
        if (!word || breaks(glyph - 1, glyph) || turns_apart(content, i) ||
            has_space_between(content, i) || (dots && dots[i] != dots[i - 1])) {
            word = &words[(*n)++];
            start_word(word, glyph, space);
            word->dots = dots && dots[i];
            space = false;
        }
        word->n_glyphs++;
        word->area.x0 = fminf(word->area.x0, glyph->x0);
        word->area.x1 = fmaxf(word->area.x1, glyph->x1);
    }
    for (size_t i = 0; i < *n && content->n_links; i++)
        find_link(&words[i], content);
    for (size_t i = 0; i < *n && content->n_fields; i++)
        find_field(&words[i], content);
    for (size_t i = 0; i < content->n_notes; i++)
        place_note(&content->notes[i], words, *n);
    return words;
}

static int by_base(const void *a, const void *b)
{
    const struct word *p = *(struct word *const *) a, *q = *(struct word *const *) b;

    return p->base < q->base         ? -1
           : p->base > q->base       ? 1
           : p->area.x0 < q->area.x0 ? -1
                                     : p->area.x0 > q->area.x0;
}

int words_by_x(const void *a, const void *b)
{
    const struct word *p = *(struct word *const *) a, *q = *(struct word *const *) b;

    return p->area.x0 < q->area.x0 ? -1 : p->area.x0 > q->area.x0 ? 1 : p < q ? -1 : p > q;
}

static int by_top(const void *a, const void *b)
{
    const struct line *p = a, *q = b;

    return p->base < q->base         ? -1
           : p->base > q->base       ? 1
           : p->area.x0 < q->area.x0 ? -1
                                     : p->area.x0 > q->area.x0;
}

/* Makes a line taller for a formula, measured as LibreOffice draws it, which has only one size
 * of them. */
static void make_taller(struct line *line, const struct word *word)
{
    float scale = fmaxf(1, EQUATION_SIZE / word->size);
    float above = (word->base - word->area.y0) * scale,
          below = (word->area.y1 - word->base) * scale;

    line->over = fmaxf(line->over, above - ASCENT * word->size);
    line->under = fmaxf(line->under, below - DESCENT * word->size);
}

/* Finds the properties of a line from its words. */
static void finish_line(const struct page_content *content, struct line *line)
{
    float most = 0;
    size_t bold = 0, all = 0;

    qsort(line->words.items, line->words.n, sizeof *line->words.items, words_by_x);
    line->over = line->under = 0;
    line->area = line->words.items[0]->area;
    for (size_t i = 0; i < line->words.n; i++) {
        const struct word *word = line->words.items[i];
        float width = 0;

        for (size_t k = 0; k < line->words.n; k++)
            if (fabsf(line->words.items[k]->size - word->size) < 0.05F * word->size)
                width += area_width(&line->words.items[k]->area);
        if (width > most) {
            most = width;
            line->size = word->size;
            line->base = word->base;
        }
        if (word->formula)
            make_taller(line, word);
        all += word->n_glyphs;
        bold += content->fonts[word->glyphs->font].bold ? word->n_glyphs : 0;
        area_join(&line->area, &word->area);
        if (line->words.n > 200)
            break;
    }
    line->bold = bold == all;
    line->mixed = bold > 0 && bold < all;
    for (size_t i = 0; i < line->words.n; i++)
        area_join(&line->area, &line->words.items[i]->area);
}

/* The size of a line's largest word; most of its words may be smaller. */
static float largest(const struct line *line)
{
    float size = 0;

    for (size_t i = 0; i < line->words.n; i++)
        size = fmaxf(size, line->words.items[i]->size);
    return size;
}

/* Whether a small mark was moved over a larger word. */
static bool lies_over(const struct word *mark, const struct word *word)
{
    float up = word->base - mark->base;

    return mark->n_glyphs < 4 && mark->size < 0.85F * word->size && up > 0.1F * word->size &&
           up < 0.7F * word->size && mark->area.x0 > word->area.x0 && mark->area.x1 < word->area.x1;
}

/* Whether a small or raised word is next to one of the line's words, or over it. */
static bool hangs_on(const struct line *line, const struct word *word, bool few)
{
    float size = fmaxf(line->size, word->size), up = line->base - word->base;
    bool raised = word->size < 0.85F * line->size;

    if (up > 0.7F * size && up < 1.1F * size)
        size = fmaxf(size, largest(line));
    if (up < -0.45F * size || up > 0.7F * size || (!raised && (!few || fabsf(up) > 0.45F * size)))
        return false;
    /* The mark of a footnote, followed by a tab. */
    if (raised && up > 0.1F * size && word->n_glyphs < 4 && line->area.x0 > word->area.x1 &&
        line->area.x0 < word->area.x1 + 5 * size)
        return true;
    for (size_t i = line->words.n; i-- > 0;) {
        const struct area *other = &line->words.items[i]->area;
        float after = word->area.x0 - other->x1, before = other->x0 - word->area.x1;

        if (lies_over(word, line->words.items[i]))
            return true;
        /* A small word attaches to a larger one, or to a small one that is attached. */
        if (raised && word->size > 0.85F * line->words.items[i]->size &&
            fabsf(word->base - line->words.items[i]->base) > 0.1F * word->size)
            continue;
        if (fmaxf(after, before) < 0.7F * size && fmaxf(after, before) > -0.5F * size)
            return true;
    }
    return false;
}

/* Moves superscripts, subscripts and the like to the lines that they belong to. */
static void gather(struct arena *arena, struct line_list *lines, bool tight)
{
    for (size_t i = 0; i < lines->n; i++) {
        struct line *line = &lines->items[i];
        size_t kept = 0;

        for (size_t w = 0; w < line->words.n; w++) {
            struct word *word = line->words.items[w];
            struct line *to = NULL;

            for (size_t k = i > 6 ? i - 6 : 0; k < lines->n && k < i + 7 && !to; k++)
                if (k != i && lines->items[k].words.n >= line->words.n &&
                    lines->items[k].size >= line->size &&
                    hangs_on(&lines->items[k], word, !tight && line->words.n <= 2))
                    to = &lines->items[k];
            if (to)
                *ARENA_ADD(arena, &to->words) = word;
            else
                line->words.items[kept++] = word;
        }
        line->words.n = kept;
    }
}

static void finish_all(const struct page_content *content, struct line_list *lines)
{
    size_t n = 0;

    for (size_t i = 0; i < lines->n; i++)
        if (lines->items[i].words.n) {
            finish_line(content, &lines->items[i]);
            lines->items[n++] = lines->items[i];
        }
    lines->n = n;
    if (n)
        qsort(lines->items, n, sizeof *lines->items, by_top);
}

/* Merges two lines at almost the same height into one with a gap: one below the other they would
 * take twice the room. */
static void order_level_lines(struct arena *arena, struct line_list *lines)
{
    for (size_t i = 0; i + 1 < lines->n; i++) {
        struct line *a = &lines->items[i], *b = &lines->items[i + 1];
        float size = fminf(a->size, b->size);
        float gap = fmaxf(b->area.x0 - a->area.x1, a->area.x0 - b->area.x1);

        if (a->words.n == 0 || b->base - a->base > BESIDE * size ||
            gap < 2 * fmaxf(a->size, b->size))
            continue;
        for (size_t k = 0; k < a->words.n; k++)
            *ARENA_ADD(arena, &b->words) = a->words.items[k];
        /* A third line is then next to both or to neither. */
        area_join(&b->area, &a->area);
        a->words.n = 0;
    }
}

struct line_list words_make_lines(struct arena *arena, const struct page_content *content,
                                  struct word **words, size_t n, bool tight)
{
    struct line_list lines = { 0 };
    struct word **sorted = ARENA_ARRAY(arena, struct word *, n);
    for (size_t i = 0; i < n; i++)
        sorted[i] = words[i];
    qsort(sorted, n, sizeof *sorted, by_base);
    for (size_t i = 0; i < n; i++) {
        struct line *line = NULL;

        for (size_t k = lines.n; k-- > 0 && !line && k + 8 > lines.n;)
            if (fabsf(lines.items[k].base - sorted[i]->base) <=
                (tight ? 0.12F : 0.2F) * fmaxf(lines.items[k].size, sorted[i]->size))
                line = &lines.items[k];
        if (!line) {
            line = ARENA_ADD(arena, &lines);
            *line = (struct line){ .base = sorted[i]->base, .size = sorted[i]->size };
        }
        *ARENA_ADD(arena, &line->words) = sorted[i];
    }
    finish_all(content, &lines);
    gather(arena, &lines, tight);
    finish_all(content, &lines);
    if (!tight) {
        order_level_lines(arena, &lines);
        finish_all(content, &lines);
    }
    return lines;
}

float words_pitch(const struct line *lines, size_t n)
{
    float most = (lines[n - 1].base - lines[0].base) / (float) (n - 1), sum = 0;
    size_t plain = 0;

    for (size_t i = 1; i < n; i++)
        if (lines[i - 1].under + lines[i].over <= 0) {
            sum += lines[i].base - lines[i - 1].base;
            plain++;
        }
    return plain == n - 1 ? most : plain ? sum / (float) plain : fminf(most, 1.2F * lines[0].size);
}

struct line words_line_part(const struct line *line, size_t from, size_t n)
{
    struct line part = *line;

    part.words.items = line->words.items + from;
    part.words.n = part.words.cap = n;
    for (size_t i = 0; i < n; i++)
        if (i == 0)
            part.area = part.words.items[0]->area;
        else
            area_join(&part.area, &part.words.items[i]->area);
    return part;
}

static float space_before(const struct line *line, size_t i)
{
    return line->words.items[i]->area.x0 - line->words.items[i - 1]->area.x1;
}

/* Whether the gap before word i is a space of a justified line, where it is as wide as its
 * neighbours: browsers justify without hyphens, and make spaces of narrow columns very wide. Labels
 * of an axis and numbers of a row can be as even, but they are shorter than words. */
static bool is_justified(const struct line *line, size_t i)
{
    float gap = space_before(line, i);
    size_t from = i, to = i, glyphs = 0;

    if (gap > JUSTIFIED * line->size)
        return false;
    while (from > 1 && fabsf(space_before(line, from - 1) - gap) < EVEN * line->size)
        from--;
    while (to + 1 < line->words.n && fabsf(space_before(line, to + 1) - gap) < EVEN * line->size)
        to++;
    for (size_t k = from - 1; k <= to; k++)
        glyphs +=
            line->words.items[k]->glyphs->code - '0' < 10 ? 0 : line->words.items[k]->n_glyphs;
    return to - from + 1 >= EVEN_GAPS && glyphs >= EVEN_WORD * (to - from + 2);
}

struct line_list words_cut_lines(struct arena *arena, const struct page_content *content,
                                 const struct line_list *lines, float gap, bool justified)
{
    struct line_list pieces = { 0 };

    for (size_t i = 0; i < lines->n; i++) {
        const struct line *line = &lines->items[i];
        struct line *piece = NULL;
        float end = 0;

        for (size_t k = 0; k < line->words.n; k++) {
            struct word *word = line->words.items[k];

            if (!piece ||
                (word->area.x0 - end > gap * line->size && !(justified && is_justified(line, k)))) {
                piece = ARENA_ADD(arena, &pieces);
                *piece = (struct line){ .base = line->base, .size = line->size };
            }
            *ARENA_ADD(arena, &piece->words) = word;
            end = fmaxf(piece->words.n > 1 ? end : word->area.x1, word->area.x1);
        }
    }
    for (size_t i = 0; i < pieces.n; i++)
        finish_line(content, &pieces.items[i]);
    return pieces;
}

float words_first_width(const struct line *line)
{
    const struct word *word = line->words.items[0];

    if (is_cjk(word->glyphs->code))
        return word->size;
    for (size_t i = 1; i < word->n_glyphs; i++)
        if (is_cjk(word->glyphs[i].code))
            return word->glyphs[i].x0 - word->area.x0;
    return area_width(&word->area);
}

bool words_have_space_after(const struct page_content *content, const struct word *word)
{
    const struct glyph *next = word->glyphs + word->n_glyphs;

    return next < content->glyphs + content->n_glyphs && next->flags & GLYPH_SPACE &&
           fabsf(next->base - word->base) < 0.1F * word->size &&
           fabsf(next->x0 - word->area.x1) < 0.1F * word->size;
}

bool words_is_typed_family(const char *family)
{
    static const char *const families[] = { "Courier New", "Consolas", "DejaVu Sans Mono" };

    for (size_t i = 0; i < COUNT(families); i++)
        if (strcmp(family, families[i]) == 0)
            return true;
    return false;
}

bool words_are_typed(const struct page_content *content, const struct line *line)
{
    for (size_t i = 0; i < line->words.n; i++)
        if (!words_is_typed_family(content->fonts[line->words.items[i]->glyphs->font].family))
            return false;
    return true;
}

struct line_list words_make_upright_lines(struct arena *arena, const struct page_content *content,
                                          struct word *words, size_t n)
{
    struct word **list = ARENA_ARRAY(arena, struct word *, n);
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (!words[i].rotated)
            list[kept++] = &words[i];
    return words_make_lines(arena, content, list, kept, true);
}

/* A small word is raised or lowered relative to the larger one next to it; the mark of a
 * footnote has a tab after it. A distant word is only on another line, next to this one. */
static bool is_script(const struct word *word, const struct line *line)
{
    bool mark = word == line->words.items[0] && word->n_glyphs < 4;

    for (size_t i = 0; i < line->words.n; i++) {
        const struct word *other = line->words.items[i];
        float gap =
            fmaxf(other->area.x0 - word->area.x1, word->area.x0 - other->area.x1) / other->size;

        if (word->size < 0.85F * other->size && gap < (mark ? 6 : 3))
            return true;
    }
    return false;
}

enum script words_script(const struct word *word, const struct line *line)
{
    float up = line->base - word->base;

    if (word->size < 0.85F * line->size && (up > 0.12F * line->size || up < -0.06F * line->size) &&
        is_script(word, line))
        return up > 0 ? SCRIPT_SUPER : SCRIPT_SUB;
    return SCRIPT_NONE;
}
