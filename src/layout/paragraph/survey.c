#include "layout/paragraph/survey.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "layout/formula/large.h"
#include "layout/paragraph/margins.h"

#define FEW       4      /* pages: what they have in common can be chance */
#define WIDE      0.9F   /* of the widest line: as wide as the text */
#define CLOSE     3.0F   /* sizes between baselines of two paragraphs */
#define FILLED    0.7F   /* of a line's width, by words: less has wide gaps */
#define EDGE      0.075F /* the same, where there is one page alone */
#define ROOM      2.2F   /* lines between text and footer */
#define LOWER     1.3F   /* lines: no footer is lower by more */
#define LOWEST    20     /* points from the edge */
#define HEADS     2      /* lines at the top that can be a header */
#define SAME_BASE 4      /* points between baselines that are one */
#define ROWS      2      /* of a table at the top of a page that can be its header */
#define JUMPS     6      /* pages for each time that a page number jumps, at least */
#define FEET      3      /* lines at the bottom that can be a footer */

/* How the numbers of a line go on from the last page that has it. Where a document is a part of
 * another one, or a page is missing, a page number jumps. */
static void count_on(struct survey_line *line, const struct survey_line *now, size_t page)
{
    for (int i = 0; i < line->n_numbers && i < now->n_numbers; i++) {
        int more = now->numbers[i] - line->last[i];

        line->jumps[i] += more != (int) page - (int) line->last_page;
        line->counts[i] = line->jumps[i] * JUMPS < line->pages;
        line->varies[i] |= now->numbers[i] != line->numbers[i];
        line->last[i] = now->numbers[i];
    }
    line->last_page = page;
}

static void note_digit(struct survey_line *line, int digit, bool more)
{
    if (!more && line->n_numbers < SURVEY_NUMBERS)
        line->numbers[line->n_numbers++] = 0;
    if (line->n_numbers && line->numbers[line->n_numbers - 1] < 1000000)
        line->numbers[line->n_numbers - 1] = line->numbers[line->n_numbers - 1] * 10 + digit;
}

void survey_text(const struct line *line, char *out, struct survey_line *at)
{
    size_t n = 0;
    bool digits = false;

    /* Two numbers next to each other are two, as at the end of "pages 58-62     59". */
    for (size_t i = 0; i < line->words.n; i++, digits = false)
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

int survey_find(const struct survey_line *lines, int n, const char *text, float base, float by)
{
    for (int i = 0; i < n; i++)
        if (fabsf(lines[i].base - base) < by && strcmp(lines[i].text, text) == 0)
            return i;
    return -1;
}

static int note_edge_line(struct survey_line *lines, int *n, const struct line *line, float base,
                          size_t page)
{
    struct survey_line now = {
        .base = base, .size = line->size, .pages = 1, .left = page % 2 != 0, .page = page
    };
    int at;

    survey_text(line, now.text, &now);
    at = survey_find(lines, *n, now.text, base, SAME_BASE);
    if (at < 0 && *n < SURVEY_LINES) {
        for (int i = 0; i < SURVEY_NUMBERS; i++) {
            now.counts[i] = i < now.n_numbers;
            now.last[i] = now.numbers[i];
        }
        now.last_page = page;
        lines[*n] = now;
        return (*n)++;
    }
    if (at < 0)
        return -1;
    lines[at].pages++;
    lines[at].left += page % 2 != 0;
    count_on(&lines[at], &now, page);
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

/* Whether a line is a row of a table, and with that no header or footer. */
static bool is_in_table(const struct line *line)
{
    size_t in_table = 0;

    for (size_t i = 0; i < line->words.n; i++)
        in_table += line->words.items[i]->reserved;
    return in_table * 2 > line->words.n;
}

/* What a table begins with on one page is not a header where the rest of one is short. */
static void note_row(struct survey *survey, const struct line *line)
{
    if (survey->n_rows < SURVEY_LINES)
        survey_text(line, survey->rows[survey->n_rows++], NULL);
}

static bool is_row(const struct survey *survey, const char *text)
{
    for (int i = 0; i < survey->n_rows; i++)
        if (strcmp(survey->rows[i], text) == 0)
            return true;
    return false;
}

static void note_line(struct survey *survey, const struct page_content *content,
                      const struct line *line, size_t from_top, size_t from_bottom, bool apart)
{
    int head = -1, foot = -1, page = survey->seen - 1;
    bool in_table = is_in_table(line);
    float edge = survey->n_pages > 1 ? SURVEY_TOP : EDGE;
    float base = running_foot_base(&survey->running, line->base, content->height);

    note_sizes(survey, line);
    if (!in_table && line->area.y0 < SURVEY_TOP * content->height)
        head = note_edge_line(survey->heads, &survey->n_heads, line, line->base, content->number);
    if (!in_table && line->area.y1 > (1 - SURVEY_TOP) * content->height)
        foot = note_edge_line(survey->feet, &survey->n_feet, line, base, content->number);
    if (head >= 0 && from_top < HEADS && line->area.y1 < edge * content->height)
        survey->heads[head].apart =
            apart || (survey->n_pages > 1 && line->area.y1 < EDGE * content->height);
    if (foot >= 0 && from_bottom < FEET && line->area.y0 > (1 - edge) * content->height)
        survey->feet[foot].apart =
            apart || (survey->n_pages > 1 && line->area.y0 > (1 - EDGE) * content->height);
    if (from_top < SURVEY_EDGE && page < SURVEY_PAGES)
        survey->tops[page][from_top] =
            (struct survey_edge){ line->base - 0.9F * line->size, line->base,
                                  running_is_only_number(line), head };
    if (from_bottom < SURVEY_EDGE && page < SURVEY_PAGES)
        survey->bottoms[page][from_bottom] =
            (struct survey_edge){ content->height - line->area.y1, base,
                                  running_is_only_number(line), foot };
}

/* Whether a line, with all that is near it, is in the part of the page that begins at its edge. */
static bool is_apart(const struct line_list *lines, size_t i, float height, float edge)
{
    struct area group = lines->items[i].area;
    float near = lines->items[i].size;
    bool grown = true;

    while (grown) {
        if (group.y1 > edge * height && group.y0 < (1 - edge) * height)
            return false;
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
    }
    return true;
}

/* How much of its width a line's words take. */
static float filled(const struct line *line)
{
    float sum = 0;

    for (size_t i = 0; i < line->words.n; i++)
        sum += area_width(&line->words.items[i]->area);
    return sum / fmaxf(area_width(&line->area), 1);
}

/* Whether a line is near the text, as large and nearly as wide as its lines, without wide gaps:
 * then the space before or after it is that between paragraphs. */
static bool is_like_text(const struct line_list *lines, size_t i)
{
    const struct line *line = &lines->items[i];
    const struct line *other = &lines->items[i > 0 ? i - 1 : i + 1];
    float widest = 0;

    if (lines->n < 2)
        return false;
    for (size_t k = 0; k < lines->n; k++)
        widest = fmaxf(widest, area_width(&lines->items[k].area));
    return area_width(&line->area) > WIDE * widest && filled(line) > FILLED &&
           fabsf(line->size - other->size) < 0.05F * other->size &&
           fabsf(line->base - other->base) < CLOSE * line->size;
}

void survey_add(struct survey *survey, struct arena *arena, const struct page_content *content,
                struct word *words, size_t n)
{
    size_t kept = 0, rows = 0;
    struct word **list = ARENA_ARRAY(arena, struct word *, n);
    struct line_list lines;

    large_set(content, words, n, true);
    large_set(content, words, n, false);
    for (size_t i = 0; i < n; i++)
        if (!words[i].rotated)
            list[kept++] = &words[i];
    lines = words_make_lines(arena, content, list, kept, true);
    survey->seen_left += content->number % 2 != 0;
    if (survey->running.height <= 0)
        survey->running.height = content->height;
    if (survey->seen < SURVEY_PAGES) {
        survey->widths[survey->seen] = content->width;
        survey->heights[survey->seen] = content->height;
    }
    survey->seen++;
    for (size_t i = 0; i < lines.n; i++) {
        const struct line *line = &lines.items[i];
        bool foot = line->base > content->height / 2;
        float next = foot ? (i > 0 ? line[-1].base : -INFINITY)
                          : (i + 1 < lines.n ? line[1].base : INFINITY);

        titles_note(&survey->titles, line, content->height, i == 0,
                    i + 1 < lines.n ? line[1].base - line->base : INFINITY, is_in_table(line));
        if (!is_in_table(line))
            running_note(&survey->running, line, content->height, fabsf(next - line->base),
                         content->number);
        else if (!foot && rows++ < ROWS)
            note_row(survey, line);
    }
    margins_note(survey, content, &lines);
    survey->has_content |= kept < n || content->n_pictures > 0 || rows > 0;
    for (size_t i = 0; i < lines.n; i++) {
        bool outer = i < HEADS || lines.n - 1 - i < FEET;
        bool apart =
            outer && is_apart(&lines, i, content->height, survey->n_pages > 1 ? SURVEY_TOP : EDGE);

        survey->has_content |= !apart;
        survey->has_edges |= apart && !running_is_only_number(&lines.items[i]);
        note_line(survey, content, &lines.items[i], i, lines.n - 1 - i,
                  apart && (survey->n_pages > 1 || !is_like_text(&lines, i)));
    }
}

/* Whether a line is on most left pages and on no right ones, or the other way round. On most: what
 * goes from chapter to chapter stays in the text of its pages. */
static bool alternates(const struct survey_line *line, const struct survey *survey)
{
    int right = line->pages - line->left, seen_right = survey->seen - survey->seen_left;

    return survey->seen >= FEW && line->apart &&
           ((line->left == 0 && right > 1 && right * 5 >= seen_right * 4) ||
            (right == 0 && line->left > 1 && line->left * 5 >= survey->seen_left * 4));
}

/* Whether a line has a number that changes from page to page and is not the page's: the number of
 * an account, say. A header would have the first of them on all pages. */
static bool has_own_number(const struct survey_line *line)
{
    for (int i = 0; i < line->n_numbers; i++)
        if (line->varies[i] && !line->counts[i])
            return true;
    return false;
}

/* Whether a line has a number that is another one on most pages without counting them: what a
 * reader looks for, and not the page's. */
static bool has_changing_number(const struct survey_line *line)
{
    for (int i = 0; i < line->n_numbers; i++)
        if (line->varies[i] && line->jumps[i] * 2 >= line->pages - 1)
            return true;
    return false;
}

/* `largest`: of a line of a single page; a title is not a header. */
static void find_common(struct survey_line *lines, int n, struct survey *survey, float largest)
{
    for (int i = 0; i < n; i++) {
        lines[i].common = survey->n_pages > 1
                              ? lines[i].pages > 1 && lines[i].pages * 2 > survey->seen &&
                                    (survey->seen >= FEW || lines[i].apart)
                              : lines[i].apart && lines[i].size <= largest;
        if (!lines[i].common && survey->n_pages > 1 && alternates(&lines[i], survey) &&
            !is_row(survey, lines[i].text))
            lines[i].common = survey->alternates = true;
        lines[i].common =
            lines[i].common && !is_row(survey, lines[i].text) &&
            !(survey->seen >= FEW ? has_changing_number(&lines[i]) : has_own_number(&lines[i]));
    }
}

/* A line with other text next to it or beyond it is not a header or footer: there would be no
 * place for it. */
static void drop_mixed(struct survey *survey, struct survey_line *lines, int n,
                       struct survey_edge (*edges)[SURVEY_EDGE])
{
    for (int i = 0; i < n; i++) {
        int pages = 0, mixed = 0;

        for (int page = 0; page < survey->seen && page < SURVEY_PAGES; page++) {
            bool other = false;

            for (int k = 0; k < SURVEY_EDGE && edges[page][k].y != 0; k++) {
                int line = edges[page][k].line;

                if (line == i) {
                    pages++;
                    mixed += other;
                    break;
                }
                other = other || line < 0 || !lines[line].common;
            }
        }
        if (mixed * 2 > pages)
            lines[i].common = false;
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

static void find_size(struct survey *survey)
{
    int most = 0;

    for (int i = 0; i < survey->seen && i < SURVEY_PAGES; i++) {
        int same = 0;

        for (int k = 0; k < survey->seen && k < SURVEY_PAGES; k++)
            same += fabsf(survey->widths[k] - survey->widths[i]) < 1 &&
                    fabsf(survey->heights[k] - survey->heights[i]) < 1;
        if (same <= most)
            continue;
        most = same;
        survey->width = survey->widths[i];
        survey->height = survey->heights[i];
    }
}

/* What is nearer to the edge than lines that change, and on several pages, is like them. */
static void add_outer(struct survey_line *lines, int n, const struct survey *survey, bool foot)
{
    const struct running *running = &survey->running;

    for (int i = 0; i < n; i++)
        for (int k = 0; k < running->n_bases; k++)
            lines[i].common |= running->bases[k].foot == foot && lines[i].pages > 2 &&
                               lines[i].size < 1.3F * survey->body &&
                               (foot ? lines[i].base > running->bases[k].base + 2
                                     : lines[i].base < running->bases[k].base - 2);
}

/* Whether the lines with numbers of pages say the same on all of them. */
static bool is_on_all(const struct survey *survey)
{
    for (int i = 0; i < survey->running.n_bases; i++) {
        const struct running_base *base = &survey->running.bases[i];
        const struct survey_line *lines = base->foot ? survey->feet : survey->heads;
        int n = base->foot ? survey->n_feet : survey->n_heads;
        bool found = false;

        for (int k = 0; k < n; k++)
            found |= lines[k].common && fabsf(lines[k].base - base->base) < 2 &&
                     lines[k].pages + 1 >= survey->seen;
        if (!found)
            return false;
    }
    return true;
}

void survey_end(struct survey *survey)
{
    unsigned most = 0, all = 0;

    /* What is alone on all pages is not a header: nothing would be left of the document. */
    if (survey->headers == SURVEY_HEADERS_DROP && survey->has_edges && !survey->has_content)
        survey->headers = SURVEY_HEADERS_KEEP;

    for (int i = 0; i < 400; i++) {
        all += survey->sizes[i];
        if (survey->sizes[i] > most) {
            most = survey->sizes[i];
            survey->body = (float) i / 4;
        }
    }
    for (int i = 399; i > 0 && survey->n_headings < MODEL_HEADINGS; i--) {
        float size = (float) i / 4;

        if (!survey->sizes[i] || size < 1.15F * survey->body || survey->sizes[i] * 5 > all)
            continue;
        if (survey->n_headings == 0 ||
            survey->headings[survey->n_headings - 1] - size > 0.06F * size)
            survey->headings[survey->n_headings++] = size;
    }
    find_common(survey->heads, survey->n_heads, survey, 1.1F * survey->body);
    find_common(survey->feet, survey->n_feet, survey, 2 * survey->body);
    drop_mixed(survey, survey->heads, survey->n_heads, survey->tops);
    drop_mixed(survey, survey->feet, survey->n_feet, survey->bottoms);
    running_end(&survey->running, survey->seen);
    titles_end(&survey->titles, survey->seen, survey->body);
    if (survey->titles.found)
        running_add(&survey->running, survey->titles.base);
    survey->alternates |= !is_on_all(survey);
    add_outer(survey->heads, survey->n_heads, survey, false);
    add_outer(survey->feet, survey->n_feet, survey, true);
    find_size(survey);
    margins_find(survey, survey_has_feet(survey));
    survey->n_heads = keep_common(survey->heads, survey->n_heads);
    survey->n_feet = keep_common(survey->feet, survey->n_feet);
}

static bool has_running(const struct survey *survey, bool foot)
{
    for (int i = 0; i < survey->running.n_bases; i++)
        if (survey->running.bases[i].foot == foot)
            return true;
    return false;
}

static bool has_common(const struct survey_line *lines, int n)
{
    for (int i = 0; i < n; i++)
        if (lines[i].common)
            return true;
    return false;
}

bool survey_has_heads(const struct survey *survey)
{
    return has_running(survey, false) || has_common(survey->heads, survey->n_heads);
}

bool survey_has_feet(const struct survey *survey)
{
    return has_running(survey, true) || has_common(survey->feet, survey->n_feet);
}

float survey_head_y(const struct survey *survey)
{
    float least = survey->height;

    for (int i = 0; i < survey->n_heads; i++)
        least = fminf(least, survey->heads[i].base - 9);
    for (int i = 0; i < survey->running.n_bases; i++)
        if (!survey->running.bases[i].foot)
            least = fminf(least, survey->running.bases[i].base - 9);
    return survey_has_heads(survey) ? fmaxf(least, 1) : 0;
}

float survey_foot_y(const struct survey *survey)
{
    float least = survey->height, height = survey->running.height;

    for (int i = 0; i < survey->n_feet; i++)
        least = fminf(least, height - survey->feet[i].base - 3);
    for (int i = 0; i < survey->running.n_bases; i++)
        if (survey->running.bases[i].foot)
            least = fminf(least, height - survey->running.bases[i].base - 3);
    return survey_has_feet(survey) ? fmaxf(least, 1) : 0;
}

float survey_foot_place(const struct survey *survey)
{
    float y = survey_foot_y(survey), line = 1.2F * survey->body;
    float room = survey->bottom - (y + line), lower = fminf(ROOM * line - room, LOWER * line);

    return y > 0 ? fmaxf(y - fmaxf(lower, 0), fminf(y, LOWEST)) : 0;
}
