#include "layout/paragraph/header_footer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SAME_BASE  4       /* points between baselines that are one */
#define NEAR_BASE  10      /* and of lines that say the same, if they have: */
#define LONG_TEXT  8       /* characters */
#define MOST_PAGES 1000000 /* of a number that is read */

static_assert(HEADER_SET_TEXT >= 2 * SURVEY_TEXT, "the texts of two lines have room");

/* Marks the numbers that count pages; they are divided as in survey_text. Returns the last one; -1
 * if no number counts pages. */
static int mark_numbers(struct page_content *content, const struct line *line,
                        const struct survey_line *common)
{
    int number = -1, found = 0, at = -1;
    bool digits = false;

    for (size_t i = 0; i < line->words.n; i++, digits = false)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++) {
            struct glyph *glyph = &content->glyphs[line->words.items[i]->glyphs - content->glyphs];

            glyph += k;
            if (glyph->code < '0' || glyph->code > '9') {
                digits = false;
                continue;
            }
            number += !digits;
            digits = true;
            if (number < common->n_numbers && common->counts[number] && common->pages > 1) {
                glyph->flags |= GLYPH_NUMBER;
                found = (at == number && found < MOST_PAGES ? found * 10 : 0) +
                        (int) (glyph->code - '0');
                at = number;
            }
        }
    return at < 0 ? -1 : found;
}

/* Marks the number of all pages after the page number: "2 of 5". */
static void mark_total(struct page_content *content, const struct line *line, size_t n_pages)
{
    bool counted = false;

    for (size_t i = 0; i < line->words.n; i++) {
        size_t first = (size_t) (line->words.items[i]->glyphs - content->glyphs);
        size_t end = first + line->words.items[i]->n_glyphs;

        for (size_t k = first, from = first, value = 0; k < end; k++) {
            struct glyph *glyph = &content->glyphs[k];
            bool last = k + 1 == end || glyph[1].code - '0' >= 10;

            counted |= (glyph->flags & GLYPH_NUMBER) != 0;
            if (glyph->code - '0' >= 10 || glyph->flags & GLYPH_NUMBER || !counted) {
                from = k + 1;
                value = 0;
                continue;
            }
            value = value < 100000 ? value * 10 + glyph->code - '0' : value;
            for (; last && value == n_pages && from <= k; from++)
                content->glyphs[from].flags |= GLYPH_TOTAL;
            if (last)
                value = 0;
        }
    }
}

static void claim_words(struct arena *arena, const struct line *line, struct word_list *words)
{
    for (size_t i = 0; i < line->words.n; i++) {
        claim_word(line->words.items[i], OWNER_HEADER_FOOTER);
        *ARENA_ADD(arena, words) = line->words.items[i];
    }
}

static bool claim_common(const struct survey *survey, struct arena *arena,
                         struct page_content *content, const struct line *line,
                         struct header_footer *found, bool foot)
{
    const struct survey_line *common = foot ? survey->feet : survey->heads;
    int n = foot ? survey->n_feet : survey->n_heads;
    float base =
        foot ? running_foot_base(&survey->running, line->base, content->height) : line->base;
    char text[SURVEY_TEXT];
    int at, number;

    survey_text(line, text, NULL);
    at = survey_find(common, n, text, base, SAME_BASE);
    /* On some pages it is a bit higher. */
    if (at < 0 && strlen(text) >= LONG_TEXT)
        at = survey_find(common, n, text, base, NEAR_BASE);
    if (at < 0)
        return false;
    number = mark_numbers(content, line, &common[at]);
    mark_total(content, line, survey->n_pages);
    if (found->number < 0 && common[at].pages > 2)
        found->number = number;
    claim_words(arena, line, foot ? &found->foot : &found->head);
    found->lines++;
    return true;
}

static void claim_running(const struct survey *survey, struct arena *arena,
                          struct page_content *content, const struct line *line,
                          struct header_footer *found)
{
    char text[SURVEY_TEXT];
    size_t n = strlen(found->text);
    bool foot;

    if (!running_has(&survey->running, line, content->height, content->number, &foot))
        return;
    found->number = running_mark(&survey->running, content, line, content->number);
    mark_total(content, line, survey->n_pages);
    claim_words(arena, line, foot ? &found->foot : &found->head);
    survey_text(line, text, NULL);
    snprintf(found->text + n, sizeof found->text - n, "%s", text);
    found->only_number = strcmp(found->text, "#") == 0 && found->head.n + found->foot.n == 1 &&
                         !survey->running.only_number;
}

/* Whether the words of a line are in another header or in the text of the sampled or of earlier
 * pages. */
static bool is_repeated(const struct survey *survey, const struct header_sets *headers,
                        uint64_t words)
{
    size_t n = headers->n_titles < HEADER_SET_TITLES ? headers->n_titles : HEADER_SET_TITLES;

    for (size_t i = 0; i < n; i++)
        if (headers->titles[i] == words)
            return true;
    return titles_repeat(&survey->titles, words);
}

static void remember_lines(struct header_sets *headers, struct arena *arena,
                           const struct page_content *content, struct word *words, size_t n)
{
    struct line_list lines = words_make_upright_lines(arena, content, words, n);

    /* A header can leave out the number of the title. */
    for (size_t i = 0; i < lines.n; i++)
        for (size_t from = 0;
             from < 2 && from < lines.items[i].words.n && lines.items[i].words.n <= TITLES_WORDS;
             from++)
            headers->titles[headers->n_titles++ % HEADER_SET_TITLES] =
                titles_words(&lines.items[i], from);
}

/* The title of a chapter, without a page number. */
static void claim_title(const struct survey *survey, const struct header_sets *headers,
                        struct arena *arena, const struct line_list *lines,
                        struct header_footer *found)
{
    size_t n = strlen(found->text);
    float gap = lines->n > 1 ? lines->items[1].base - lines->items[0].base : INFINITY;

    if (lines->n == 0 || lines->items[0].words.items[0]->claimed_by ||
        !titles_has(&survey->titles, &lines->items[0], gap) ||
        (survey->headers == SURVEY_HEADERS_DROP &&
         !is_repeated(survey, headers, titles_words(&lines->items[0], 0))))
        return;
    claim_words(arena, &lines->items[0], &found->head);
    snprintf(found->text + n, sizeof found->text - n, "%016" PRIx64,
             titles_words(&lines->items[0], 0));
}

void header_footer_claim(const struct survey *survey, struct header_sets *headers,
                         struct arena *arena, struct page_content *content, struct word *words,
                         size_t n, struct header_footer *found)
{
    struct word **list = ARENA_ARRAY(arena, struct word *, n);
    struct line_list lines;
    size_t kept = 0;
    float margin = (survey->running.n_bases ? RUNNING_ZONE : SURVEY_TOP) * content->height;

    found->number = -1;
    if (survey->n_heads + survey->n_feet + survey->running.n_bases == 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (!words[i].rotated &&
            (words[i].area.y0 < margin || words[i].area.y1 > content->height - margin)) {
            list[kept] = &words[i];
            kept += !words[i].reserved;
            found->reserved |= words[i].reserved;
        }
    lines = words_make_lines(arena, content, list, kept, true);
    for (size_t i = 0; i < lines.n; i++)
        if (!claim_common(survey, arena, content, &lines.items[i], found, false) &&
            !claim_common(survey, arena, content, &lines.items[i], found, true))
            claim_running(survey, arena, content, &lines.items[i], found);
    claim_title(survey, headers, arena, &lines, found);
    if (survey->headers == SURVEY_HEADERS_DROP && survey->titles.found)
        remember_lines(headers, arena, content, words, n);
}

static const struct page_link *keep_link(struct header_sets *headers, const struct page_link *link)
{
    struct page_link *kept = ARENA_NEW(&headers->arena, struct page_link);

    *kept = *link;
    if (link->uri) {
        kept->uri = ARENA_ARRAY(&headers->arena, char, strlen(link->uri));
        memcpy(kept->uri, link->uri, strlen(link->uri));
    }
    return kept;
}

/* Links of headers and footers outlive the page they were found on. */
static void keep_links(struct header_sets *headers, const struct word_list *words)
{
    const struct page_link *last = NULL, *kept = NULL;

    for (size_t i = 0; i < words->n; i++) {
        struct word *word = words->items[i];

        word->note = NULL;
        word->field = NULL;
        if (!word->link)
            continue;
        if (word->link != last)
            kept = keep_link(headers, word->link);
        last = word->link;
        word->link = kept;
    }
}

static void fill_header(struct header_sets *headers, const struct flow *page,
                        const struct word_list *words, struct block_list *blocks)
{
    struct flow flow = *page;
    struct flowed_list list;
    float y;

    if (words->n == 0)
        return;
    flow.in_cell = true;
    flow.arena = &headers->arena;
    keep_links(headers, words);
    y = words->items[0]->area.y0;
    for (size_t i = 0; i < words->n; i++)
        y = fminf(y, words->items[i]->area.y0);
    list = flow_paragraphs(&flow, words->items, words->n, NULL, 0);
    flow_place(&flow, &list, &y, blocks);
}

bool header_footer_is_text(const struct survey *survey)
{
    return survey->headers == SURVEY_HEADERS_KEEP ||
           (survey->headers == SURVEY_HEADERS_DROP && survey->n_pages == 1);
}

static bool is_page_number(const struct word_list *words, size_t page)
{
    char number[24];
    int n = snprintf(number, sizeof number, "%zu", page);

    if (words->n != 1 || words->items[0]->n_glyphs != (size_t) n)
        return false;
    for (int i = 0; i < n; i++)
        if (words->items[0]->glyphs[i].code != (unsigned char) number[i])
            return false;
    return true;
}

/* `n_words`: of the page. */
void header_footer_flow(const struct flow *page, struct page_content *content,
                        const struct word_list *words, size_t n_words, struct block_list *blocks)
{
    struct flow flow = *page;
    struct flowed_list list;
    float y = 0;

    if (words->n == 0 || (page->survey->headers == SURVEY_HEADERS_DROP && n_words > 1 &&
                          is_page_number(words, content->number + 1)))
        return;
    /* The number is this page's, and no field. */
    for (size_t i = 0; i < words->n; i++)
        for (size_t k = 0; k < words->items[i]->n_glyphs; k++)
            content->glyphs[(size_t) (words->items[i]->glyphs - content->glyphs) + k].flags &=
                (uint16_t) ~(GLYPH_NUMBER | GLYPH_TOTAL);
    flow.in_cell = true;
    list = flow_paragraphs(&flow, words->items, words->n, NULL, 0);
    flow_place(&flow, &list, &y, blocks);
    for (size_t i = 0; i < blocks->n; i++)
        blocks->items[i].owner = OWNER_HEADER_FOOTER;
}

static size_t add_set(struct header_sets *headers)
{
    *ARENA_ADD(&headers->arena, headers) = (struct header_set){ 0 };
    return headers->n - 1;
}

void header_footer_put(struct header_sets *headers, const struct flow *flow,
                       const struct header_footer *found, int side, struct page *page)
{
    struct header_set *set;

    page->header_set = NO_HEADER_SET;
    page->only_number = found->only_number;
    page->number = found->number;
    if (found->head.n + found->foot.n == 0) {
        page->no_header =
            !found->reserved && (survey_has_heads(flow->survey) || survey_has_feet(flow->survey));
        return;
    }
    if (page->only_number) {
        if (headers->number_head.n + headers->number_foot.n == 0) {
            fill_header(headers, flow, &found->head, &headers->number_head);
            fill_header(headers, flow, &found->foot, &headers->number_foot);
        }
        return;
    }
    page->header_set = headers->n ? headers->n - 1 : add_set(headers);
    set = &headers->items[page->header_set];
    if (set->there[side] &&
        ((found->text[0] && strcmp(set->text[side], found->text) != 0) ||
         found->lines > set->lines[side] || (found->head.n && !set->head[side].n) ||
         (found->foot.n && !set->foot[side].n))) {
        page->header_set = add_set(headers);
        set = &headers->items[page->header_set];
    }
    if (set->there[side])
        return;
    set->there[side] = true;
    set->lines[side] = found->lines;
    memcpy(set->text[side], found->text, sizeof set->text[side]);
    fill_header(headers, flow, &found->head, &set->head[side]);
    fill_header(headers, flow, &found->foot, &set->foot[side]);
}
