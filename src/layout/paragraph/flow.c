#include "layout/paragraph/flow.h"

#include <math.h>
#include <stdlib.h>

#include "layout/page/leaders.h"
#include "layout/paragraph/drop_cap.h"
#include "layout/paragraph/joins.h"
#include "layout/paragraph/shape.h"
#include "layout/paragraph/spans.h"

static bool crosses(const struct line *a, const struct line *b, const float *stops, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a->base < stops[i] && b->base > stops[i])
            return true;
    return false;
}

#define MAYBE     (-1) /* a heading if running text follows */
#define CELL_EDGE 9.0F /* points that a cell is wider than the column of its text, at most */

/* All letters are capitals, of which there are a few. */
static bool is_capitals(const struct line *line)
{
    size_t capitals = 0;

    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++) {
            uint32_t c = line->words.items[i]->glyphs[k].code;

            if (c - 'a' < 26 || c > 0xff)
                return false;
            capitals += c - 'A' < 26;
        }
    return capitals > 7;
}

/* Two or more words in capitals. */
static bool is_shouted(const struct line *line)
{
    return line->words.n > 1 && is_capitals(line);
}

static bool ends_sentence(const struct line *line)
{
    const struct word *last = line->words.items[line->words.n - 1];
    uint32_t end = last->glyphs[last->n_glyphs - 1].code;

    return end == '.' || end == ':' || end == ',' || end == ';';
}

static int heading_level(const struct survey *survey, const struct line *lines, size_t n,
                         const struct paragraph *p)
{
    size_t chars = 0;
    bool bold = true;
    float size = lines[0].size;

    for (size_t i = 0; i < n; i++) {
        bold = bold && lines[i].bold;
        for (size_t k = 0; k < lines[i].words.n; k++)
            chars += lines[i].words.items[k]->n_glyphs;
    }
    if (n > 3 || chars < 2 || chars > 160 || p->list || p->n_tabs > 1 || survey->body <= 0 ||
        (p->n_tabs && p->tabs[0].dots))
        return 0;
    for (int i = 0; i < survey->n_headings; i++)
        if (fabsf(size - survey->headings[i]) < 0.6F)
            return i + 1;
    if (size > 1.15F * survey->body &&
        (size > 1.3F * survey->body || !ends_sentence(&lines[n - 1])))
        return survey->n_headings + 1 < 3 ? survey->n_headings + 1 : 3;
    if (n == 1 && p->align == ALIGN_CENTER && size > 0.75F * survey->body && chars < 70 &&
        is_capitals(&lines[0]))
        return MAYBE;
    if (bold && n == 1 && size > 0.97F * survey->body && chars < 70) {
        if (is_shouted(&lines[0]))
            return survey->n_headings + 1 < 3 ? survey->n_headings + 1 : 3;
        if (!ends_sentence(&lines[0]))
            return MAYBE;
    }
    return 0;
}

/* The sizes of text that was recognized on a scan say nothing. */
static bool is_scanned(const struct page_content *content)
{
    return content->n_hidden * 2 > content->n_glyphs;
}

/* A line in bold type is a heading where a paragraph follows, and not, say, a name in a list. */
static void check_headings(const struct survey *survey, struct flowed_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct paragraph *p = &list->items[i].block.paragraph;
        const struct flowed *next = i + 1 < list->n ? &list->items[i + 1] : NULL;

        if (p->heading != MAYBE)
            continue;
        p->heading = 0;
        if (next && (next->n_lines > 1 || area_width(&next->area) > 35 * survey->body ||
                     next->block.paragraph.list))
            p->heading = survey->n_headings + 1 < 3 ? survey->n_headings + 1 : 3;
    }
}

/* The paragraph is as wide as the band, and its line keeps its place. */
static void fit_band(const struct flow *flow, const struct line *line, const struct area *band,
                     struct paragraph *p)
{
    float left = line->area.x0 - band->x0, right = band->x1 - line->area.x1;

    p->left = band->x0 - flow->column.x0;
    p->right = flow->column.x1 - band->x1;
    p->align = fabsf(left - right) < line->size ? ALIGN_CENTER : ALIGN_LEFT;
    p->first = p->align == ALIGN_CENTER ? 0 : left;
}

/* Whether the fill is that of a row, of which the column is one cell. */
static bool is_of_row(const struct flow *flow, const struct area *band)
{
    return flow->in_cell &&
           (band->x0 < flow->column.x0 - CELL_EDGE || band->x1 > flow->column.x1 + CELL_EDGE);
}

/* A fill that extends to the sides of the text belongs to the paragraph. */
static void shade(const struct flow *flow, const struct line *lines, size_t n, struct paragraph *p)
{
    const struct fill *band = lines[0].words.items[0]->highlighter;

    if (!band || band->area.x0 > p->area.x0 - 3 || band->area.x1 < p->area.x1 + 3 ||
        area_width(&band->area) < 0.5F * (flow->column.x1 - flow->column.x0))
        return;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lines[i].words.n; k++)
            if (lines[i].words.items[k]->highlighter != band)
                return;
    p->shade = band->color == 0xffffff ? STYLE_PLAIN : band->color;
    if (n == 1 && !p->list && p->n_tabs == 0 && p->align != ALIGN_RIGHT && !p->rtl &&
        !is_of_row(flow, &band->area))
        fit_band(flow, lines, &band->area, p);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lines[i].words.n; k++)
            lines[i].words.items[k]->highlight = STYLE_PLAIN;
}

/* The heading a tagged PDF says a line is of. */
static int tagged_level(const struct page_content *content, const struct line *line)
{
    const struct word *word = line->words.items[line->words.n - 1];
    const struct page_tag *tag = word->glyphs->tag ? &content->tags[word->glyphs->tag] : NULL;

    if (!tag || tag->kind != TAG_HEADING)
        return 0;
    return tag->level < 3 ? tag->level : 3;
}

static struct edge_line edge_line_of(const struct flow *flow, const struct line *line, bool last)
{
    const struct word *word = line->words.items[last ? line->words.n - 1 : 0];

    return (struct edge_line){ .x0 = line->area.x0 - flow->column.x0,
                               .size = line->size,
                               .width = words_first_width(line),
                               .bold = line->bold && !line->mixed,
                               .code = word->glyphs[last ? word->n_glyphs - 1 : 0].code,
                               .tag = word->glyphs->tag,
                               .space = last && words_have_space_after(flow->content, word) };
}

/* Lines with formulas take more than others. */
static void add_formula_height(const struct line *lines, size_t n, struct paragraph *p)
{
    for (size_t i = 0; i < n; i++) {
        float over = lines[i].over + 0.8F * lines[i].size - 0.8F * p->line;
        float under = lines[i].under + 0.22F * lines[i].size - 0.2F * p->line;

        if (lines[i].over + lines[i].under <= 0)
            continue;
        p->tall = true;
        *(i ? &p->under : &p->over) += fmaxf(over, 0);
        p->under += fmaxf(under, 0);
    }
}

static void make_paragraph(const struct flow *flow, const struct line *lines, size_t n,
                           const struct joins *joins, struct flowed_list *list)
{
    struct flowed *flowed = ARENA_ADD(flow->arena, list);
    struct paragraph *p;
    size_t skip;

    *flowed = (struct flowed){
        .area = lines[0].area, .base = lines[0].base, .last = lines[n - 1].base, .n_lines = n
    };
    for (size_t i = 1; i < n; i++)
        area_join(&flowed->area, &lines[i].area);
    flowed->block = (struct block){ .kind = BLOCK_PARAGRAPH };
    p = &flowed->block.paragraph;
    p->shade = STYLE_PLAIN;
    p->area = flowed->area;
    p->n_lines = n;
    p->lines = lines;
    p->head = edge_line_of(flow, &lines[0], false);
    p->tail = edge_line_of(flow, &lines[n - 1], true);
    p->room = joins->right - lines[n - 1].area.x1;
    p->verbatim = joins->verbatim && n == 1 && words_are_typed(flow->content, lines);
    skip = shape_paragraph(flow, lines, n, joins, p);
    if (!flow->in_cell && !is_scanned(flow->content) && !p->list && p->align != ALIGN_RIGHT)
        p->heading = heading_level(flow->survey, lines, n, p);
    if (flow->content->tagged_headings)
        p->heading = tagged_level(flow->content, &lines[0]);
    p->area.y0 = lines[0].base - 0.8F * p->line;
    add_formula_height(lines, n, p);
    p->n_label = skip ? lines[0].words.items[0]->n_glyphs : 0;
    if (skip)
        lines[0].words.items[0]->role = ROLE_LABEL;
    shade(flow, lines, n, p);
    spans_make(flow, lines, n, skip, p);
}

struct flowed_list flow_paragraphs(const struct flow *flow, struct word **words, size_t n,
                                   const float *stops, size_t n_stops)
{
    float bottom = 0;
    const struct word *cap = flow->in_cell ? NULL : drop_cap_find(flow, words, n, &bottom);
    struct line_list lines = words_make_lines(flow->arena, flow->content, words, n, false);
    struct joins joins;
    struct flowed_list list = { 0 };
    size_t from = 0;

    leaders_remove(&lines);
    if (cap)
        drop_cap_indent(cap, bottom, &lines);
    joins_study(&joins, flow, &lines);
    for (size_t i = 1; i <= lines.n; i++) {
        const struct line *line = &lines.items[i];

        if (i < lines.n && !crosses(line - 1, line, stops, n_stops) &&
            joins_next(&joins, flow, &lines.items[from], i - from))
            continue;
        make_paragraph(flow, &lines.items[from], i - from, &joins, &list);
        from = i;
    }
    check_headings(flow->survey, &list);
    return list;
}

static int by_top(const void *a, const void *b)
{
    const struct flowed *p = a, *q = b;

    return p->base < q->base ? -1 : p->base > q->base;
}

static float place_paragraph(struct flowed *item, float y)
{
    struct paragraph *p = &item->block.paragraph;
    float above = p->boxed.first ? p->boxed.above : 0, below = p->boxed.last ? p->boxed.below : 0;
    float top = item->base - 0.8F * p->line - p->over - above;

    p->before = top > y ? top - y : 0;
    return y + p->before + above + p->over + (float) item->n_lines * p->line + p->under + below;
}

static float place_table(const struct flow *flow, struct flowed *item, float y)
{
    struct table *table = &item->block.table;

    table->before = table->area.y0 > y ? table->area.y0 - y : 0;
    table->indent =
        table->rtl ? flow->column.x1 - table->area.x1 : table->area.x0 - flow->column.x0;
    for (size_t i = 0; i < table->n_rows; i++)
        y += table->heights[i];
    return y + table->before;
}

static float place_figure(const struct flow *flow, struct flowed *item, float y)
{
    struct figure *figure = &item->block.figure;
    const struct area *area = &figure->picture->area;

    figure->before = area->y0 > y ? area->y0 - y : 0;
    figure->indent = area->x0 - flow->column.x0;
    return y + figure->before + area_height(area);
}

void flow_place(const struct flow *flow, struct flowed_list *items, float *y,
                struct block_list *blocks)
{
    if (items->n)
        qsort(items->items, items->n, sizeof *items->items, by_top);
    for (size_t i = 0; i < items->n; i++) {
        struct flowed *item = &items->items[i];

        *y = item->block.kind == BLOCK_PARAGRAPH ? place_paragraph(item, *y)
             : item->block.kind == BLOCK_TABLE   ? place_table(flow, item, *y)
                                                 : place_figure(flow, item, *y);
        *ARENA_ADD(flow->arena, blocks) = item->block;
    }
}
