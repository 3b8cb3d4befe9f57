#include "reflow/survey.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BODY_TOP 0.12F  /* of the height: where headers are */
#define FEW      4      /* pages: what they have in common can be chance */
#define EDGE     0.075F /* the same, where there is one page alone */

static void note_digit(struct survey_line *line, int digit, bool more)
{
    if (!more && line->n_numbers < SURVEY_NUMBERS)
        line->numbers[line->n_numbers++] = 0;
    if (line->n_numbers && line->numbers[line->n_numbers - 1] < 1000000)
        line->numbers[line->n_numbers - 1] = line->numbers[line->n_numbers - 1] * 10 + digit;
}

/* The line's text without blanks; its numbers become '#' and, unless that is NULL, go to `at`. */
static void line_text(const struct line *line, char *out, struct survey_line *at)
{
    size_t n = 0;
    bool digits = false;

    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs && n + 12 < SURVEY_TEXT; k++) {
            uint32_t c = line->words.items[i]->glyphs[k].code;

            if (c >= '0' && c <= '9') {
                if (!digits)
                    out[n++] = '#';
                if (at)
                    note_digit(at, (int) (c - '0'), digits);
                digits = true;
                continue;
            }
            digits = false;
            if (c > ' ' && c < 0x7f) {
                out[n++] = (char) c;
            } else {
                n += (size_t) snprintf(out + n, SURVEY_TEXT - n, "%x", c);
            }
        }
    out[n] = '\0';
}

static int find(const struct survey_line *lines, int n, const char *text, float base)
{
    for (int i = 0; i < n; i++)
        if (fabsf(lines[i].base - base) < 4 && strcmp(lines[i].text, text) == 0)
            return i;
    return -1;
}

static int note(struct survey_line *lines, int *n, const struct line *line, size_t page)
{
    struct survey_line now = {
        .base = line->base, .size = line->size, .pages = 1, .left = page % 2 != 0, .page = page
    };
    int at;

    line_text(line, now.text, &now);
    at = find(lines, *n, now.text, line->base);
    if (at < 0 && *n < SURVEY_LINES) {
        for (int i = 0; i < SURVEY_NUMBERS; i++)
            now.counts[i] = i < now.n_numbers;
        lines[*n] = now;
        return (*n)++;
    }
    if (at < 0)
        return -1;
    lines[at].pages++;
    lines[at].left += page % 2 != 0;
    for (int i = 0; i < lines[at].n_numbers && i < now.n_numbers; i++)
        lines[at].counts[i] &=
            now.numbers[i] - lines[at].numbers[i] == (int) page - (int) lines[at].page;
    return at;
}

int survey_page_number(const struct survey *survey, size_t page)
{
    for (int part = 0; part < 2; part++) {
        const struct survey_line *lines = part ? survey->heads : survey->feet;
        int n = part ? survey->n_heads : survey->n_feet;

        for (int i = 0; i < n; i++)
            for (int k = 0; k < lines[i].n_numbers; k++)
                if (lines[i].counts[k] && lines[i].pages > 1)
                    return lines[i].numbers[k] + (int) page - (int) lines[i].page;
    }
    return 0;
}

static void note_sizes(struct survey *survey, const struct line *line)
{
    for (size_t i = 0; i < line->words.n; i++) {
        int quarter = (int) (line->words.items[i]->size * 4 + 0.5F);

        if (quarter > 0 && quarter < 400)
            survey->sizes[quarter] += (unsigned) line->words.items[i]->n_glyphs;
    }
}

static void note_line(struct survey *survey, const struct sheet *sheet, const struct line *line,
                      size_t from_top, size_t from_bottom, bool apart)
{
    int head = -1, foot = -1, page = survey->seen - 1;
    float edge = survey->n_pages > 1 ? BODY_TOP : EDGE;

    note_sizes(survey, line);
    if (line->area.y0 < BODY_TOP * sheet->height)
        head = note(survey->heads, &survey->n_heads, line, sheet->number);
    if (line->area.y1 > (1 - BODY_TOP) * sheet->height)
        foot = note(survey->feet, &survey->n_feet, line, sheet->number);
    if (head >= 0 && from_top < 2 && line->area.y1 < edge * sheet->height)
        survey->heads[head].apart =
            apart || (survey->n_pages > 1 && line->area.y1 < EDGE * sheet->height);
    if (foot >= 0 && from_bottom < 3 && line->area.y0 > (1 - edge) * sheet->height)
        survey->feet[foot].apart =
            apart || (survey->n_pages > 1 && line->area.y0 > (1 - EDGE) * sheet->height);
    if (from_top < SURVEY_EDGE && page < SURVEY_PAGES)
        survey->tops[page][from_top] = (struct survey_edge){ line->base - 0.9F * line->size, head };
    if (from_bottom < SURVEY_EDGE && page < SURVEY_PAGES)
        survey->bottoms[page][from_bottom] =
            (struct survey_edge){ sheet->height - line->area.y1, foot };
    if (line->area.x0 >= 0 && line->area.x0 < 999)
        survey->lefts[(int) line->area.x0]++;
    if (line->area.x1 >= 0 && line->area.x1 < 999)
        survey->rights[(int) line->area.x1]++;
}

/* Whether a line, with all that is near it, is in the part of the page that begins at its edge. */
static bool is_apart(const struct line_list *lines, size_t i, float height, float edge)
{
    struct area group = lines->items[i].area;
    float near = lines->items[i].size;
    bool grown = true;

    while (grown) {
        grown = false;
        for (size_t k = 0; k < lines->n; k++) {
            const struct area *other = &lines->items[k].area;

            if (other->y0 > group.y1 + near || other->y1 < group.y0 - near ||
                (other->y0 >= group.y0 && other->y1 <= group.y1))
                continue;
            group.y0 = fminf(group.y0, other->y0);
            group.y1 = fmaxf(group.y1, other->y1);
            grown = true;
        }
        if (group.y1 > edge * height && group.y0 < (1 - edge) * height)
            return false;
    }
    return true;
}

void survey_add(struct survey *survey, struct arena *arena, const struct sheet *sheet)
{
    size_t n, kept = 0;
    struct word *words = words_find(arena, sheet, &n);
    struct word **list = ARENA_ARRAY(arena, struct word *, n);
    struct line_list lines;

    for (size_t i = 0; i < n; i++)
        if (!words[i].turned)
            list[kept++] = &words[i];
    lines = lines_make(arena, sheet, list, kept, true);
    survey->seen_left += sheet->number % 2 != 0;
    if (survey->seen++ == 0) {
        survey->width = sheet->width;
        survey->height = sheet->height;
    }
    for (size_t i = 0; i < lines.n; i++)
        note_line(survey, sheet, &lines.items[i], i, lines.n - 1 - i,
                  is_apart(&lines, i, sheet->height, survey->n_pages > 1 ? BODY_TOP : EDGE));
}

/* The least distance of text from the edge, over the pages; without headers and footers. */
static float clear_of(struct survey_edge (*edges)[SURVEY_EDGE], int seen,
                      const struct survey_line *lines)
{
    float least = INFINITY;

    for (int page = 0; page < seen && page < SURVEY_PAGES; page++)
        for (int i = 0; i < SURVEY_EDGE; i++) {
            const struct survey_edge *edge = &edges[page][i];

            if (edge->y != 0 && (edge->line < 0 || !lines[edge->line].common)) {
                least = fminf(least, edge->y);
                break;
            }
        }
    return least;
}

/* The place that a hundredth of all lines lie beyond. */
static int beyond(const unsigned *places, int from, int step)
{
    unsigned all = 0, sum = 0;
    int at = from;

    for (int i = 0; i < 1000; i++)
        all += places[i];
    for (; at >= 0 && at < 1000; at += step)
        if ((sum += places[at]) > all / 100)
            break;
    return at;
}

static void find_margins(struct survey *survey)
{
    bool has_foot = false;
    struct margins *m = &survey->margins;
    float h = survey->height, w = survey->width;
    float top = clear_of(survey->tops, survey->seen, survey->heads);
    float bottom = clear_of(survey->bottoms, survey->seen, survey->feet);

    for (int i = 0; i < survey->n_feet; i++)
        has_foot = has_foot || survey->feet[i].common;
    m->left = fminf(fmaxf((float) beyond(survey->lefts, 0, 1), 0), 0.4F * w);
    m->right = w - fminf((float) beyond(survey->rights, 999, -1) + 1, w);
    m->right = fminf(fmaxf(m->right, 0), 0.4F * w);
    m->top = isfinite(top) ? fminf(fmaxf(top, 0), 0.4F * h) : 0.1F * h;
    survey->bottom = isfinite(bottom) ? fmaxf(bottom, 0) : 0;
    /* Less than there was: a line more or less is no new page. */
    m->bottom = isfinite(bottom) ? fminf(fmaxf(bottom * (has_foot ? 0.35F : 0.12F), 4), 0.1F * h)
                                 : 0.05F * h;
}

/* Whether a line is on most left pages and on no right ones, or the other way round. On most: what
 * goes from chapter to chapter stays in the text of its pages. */
static bool takes_turns(const struct survey_line *line, const struct survey *survey)
{
    int right = line->pages - line->left, seen_right = survey->seen - survey->seen_left;

    return survey->seen >= FEW && line->apart &&
           ((line->left == 0 && right > 1 && right * 5 >= seen_right * 4) ||
            (right == 0 && line->left > 1 && line->left * 5 >= survey->seen_left * 4));
}

/* `largest`: of a line of a single page; a title is no header. */
static void find_common(struct survey_line *lines, int n, struct survey *survey, float largest)
{
    for (int i = 0; i < n; i++) {
        lines[i].common = survey->n_pages > 1
                              ? lines[i].pages > 1 && lines[i].pages * 2 > survey->seen &&
                                    (survey->seen >= FEW || lines[i].apart)
                              : lines[i].apart && lines[i].size <= largest;
        if (!lines[i].common && survey->n_pages > 1 && takes_turns(&lines[i], survey))
            lines[i].common = survey->alternates = true;
    }
}

static int keep_common(struct survey_line *lines, int n)
{
    int kept = 0;

    for (int i = 0; i < n; i++)
        if (lines[i].common)
            lines[kept++] = lines[i];
    return kept;
}

void survey_end(struct survey *survey)
{
    unsigned most = 0, all = 0;

    for (int i = 0; i < 400; i++) {
        all += survey->sizes[i];
        if (survey->sizes[i] > most) {
            most = survey->sizes[i];
            survey->body = (float) i / 4;
        }
    }
    for (int i = 399; i > 0 && survey->n_headings < SURVEY_HEADINGS; i--) {
        float size = (float) i / 4;

        if (!survey->sizes[i] || size < 1.15F * survey->body || survey->sizes[i] * 5 > all)
            continue;
        if (survey->n_headings == 0 ||
            survey->headings[survey->n_headings - 1] - size > 0.06F * size)
            survey->headings[survey->n_headings++] = size;
    }
    find_common(survey->heads, survey->n_heads, survey, 1.1F * survey->body);
    find_common(survey->feet, survey->n_feet, survey, 2 * survey->body);
    find_margins(survey);
    survey->n_heads = keep_common(survey->heads, survey->n_heads);
    survey->n_feet = keep_common(survey->feet, survey->n_feet);
}

float survey_head_y(const struct survey *survey)
{
    float least = survey->height;

    for (int i = 0; i < survey->n_heads; i++)
        least = fminf(least, survey->heads[i].base - 9);
    return survey->n_heads ? fmaxf(least, 1) : 0;
}

float survey_foot_y(const struct survey *survey)
{
    float least = survey->height;

    for (int i = 0; i < survey->n_feet; i++)
        least = fminf(least, survey->height - survey->feet[i].base - 3);
    return survey->n_feet ? fmaxf(least, 1) : 0;
}

/* Marks the numbers that count pages. */
static void mark_numbers(struct sheet *sheet, const struct line *line,
                         const struct survey_line *common)
{
    int number = -1;
    bool digits = false;

    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++) {
            struct glyph *glyph = &sheet->glyphs[line->words.items[i]->glyphs - sheet->glyphs];

            glyph += k;
            if (glyph->code < '0' || glyph->code > '9') {
                digits = false;
                continue;
            }
            number += !digits;
            digits = true;
            if (number < common->n_numbers && common->counts[number] && common->pages > 1)
                glyph->flags |= GLYPH_NUMBER;
        }
}

static bool take(const struct survey_line *common, int n, struct arena *arena, struct sheet *sheet,
                 const struct line *line, struct word_list *words)
{
    char text[SURVEY_TEXT];
    int at;

    line_text(line, text, NULL);
    at = find(common, n, text, line->base);
    if (at < 0)
        return false;
    mark_numbers(sheet, line, &common[at]);
    for (size_t i = 0; i < line->words.n; i++) {
        line->words.items[i]->used = line->words.items[i]->apart = true;
        *ARENA_ADD(arena, words) = line->words.items[i];
    }
    return true;
}

void survey_take(const struct survey *survey, struct arena *arena, struct sheet *sheet,
                 struct word *words, size_t n, struct word_list *head, struct word_list *foot)
{
    struct word **list = ARENA_ARRAY(arena, struct word *, n);
    struct line_list lines;
    size_t kept = 0;

    if (survey->n_heads + survey->n_feet == 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (!words[i].turned && (words[i].area.y0 < BODY_TOP * sheet->height ||
                                 words[i].area.y1 > (1 - BODY_TOP) * sheet->height))
            list[kept++] = &words[i];
    lines = lines_make(arena, sheet, list, kept, true);
    for (size_t i = 0; i < lines.n; i++)
        if (!take(survey->heads, survey->n_heads, arena, sheet, &lines.items[i], head))
            take(survey->feet, survey->n_feet, arena, sheet, &lines.items[i], foot);
}
