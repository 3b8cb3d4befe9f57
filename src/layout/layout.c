#include "layout/layout.h"

#include <math.h>
#include <string.h>

#include "base/scope.h"
#include "layout/blocks/bullets.h"
#include "layout/blocks/cells.h"
#include "layout/blocks/diagram.h"
#include "layout/blocks/drawings.h"
#include "layout/blocks/framed_text.h"
#include "layout/blocks/margin_notes.h"
#include "layout/blocks/rotated_text.h"
#include "layout/blocks/underlines.h"
#include "layout/columns/column_layout.h"
#include "layout/columns/letter_blocks.h"
#include "layout/columns/sidebars.h"
#include "layout/complete.h"
#include "layout/continuation/column_transition.h"
#include "layout/continuation/fit_to_page.h"
#include "layout/continuation/footnotes.h"
#include "layout/formula/formula.h"
#include "layout/paragraph/flow.h"
#include "layout/paragraph/margins.h"
#include "layout/tables/borderless_table.h"
#include "layout/tables/edge_tables.h"
#include "layout/tables/grid.h"
#include "layout/tables/grid_check.h"
#include "layout/tables/key_value_table.h"
#include "layout/tables/open_body.h"
#include "layout/tables/refine.h"
#include "layout/tables/row_labels.h"
#include "layout/tables/table_style.h"
#include "layout/tables/tagged.h"

#define BY_HAND     4  /* pages, at most */
#define OPEN_BODIES 40 /* tables of a page whose bodies are looked for */
#define SLACK       3  /* points of a page, for what a document adds between its parts */

struct making {
    const struct layout *layout;
    struct arena *arena;
    struct page_content *content;
    struct page *page;
    struct header_sets *headers;
    struct header_footer header_footer;
    struct word *words;
    size_t n_words;
    struct grid_list grids, boxes; /* by their lines, and single cells in a frame */
    struct item_list items;
    struct block_list aside; /* what comes after all others */
    size_t n_letter_blocks;  /* pairs of columns of the page that are blocks of a letter: 0 or 1 */
    size_t n_open;           /* tables whose bodies were looked for */
    bool done;               /* no further pass is needed */
};

static struct flow flow_of(const struct making *m, float x0, float x1)
{
    return (struct flow){ .arena = m->arena,
                          .content = m->content,
                          .survey = m->layout->survey,
                          .numbering = m->layout->numbering,
                          .column = { x0, x1 } };
}

/* The column of a page without any other. */
static struct flow flow_page(const struct making *m)
{
    return flow_of(m, m->page->margins.left, m->page->width - m->page->margins.right);
}

static void fill_grid(struct making *m, struct grid *grid)
{
    struct flow flow = flow_of(m, grid->table.area.x0, grid->table.area.x1);
    struct block *block = ARENA_NEW(m->arena, struct block);

    cells_fill(&flow, grid, m->words, m->n_words);
    *block = (struct block){ .kind = BLOCK_TABLE, .owner = grid->owner, .table = grid->table };
    *ARENA_ADD(m->arena, &m->items) = (struct item){ .area = grid->table.area, .block = block };
}

/* Tables that were found by their words. */
static void fill_plain(struct making *m, struct grid_list *grids, enum owner owner)
{
    struct rule_list rules = { 0 };

    if (grids->n)
        rules = rules_find(m->arena, m->content);
    for (size_t i = 0; i < grids->n; i++) {
        grids->items[i].owner = owner;
        table_style_set(m->arena, m->content, &rules, &grids->items[i]);
        fill_grid(m, &grids->items[i]);
    }
}

/* The words that are left, as lines; of a column at the side, or what is in none. */
static struct line_list rest_of(const struct making *m, size_t side)
{
    struct word **words = ARENA_ARRAY(m->arena, struct word *, m->n_words);
    size_t n = 0;

    for (size_t i = 0; i < m->n_words; i++)
        if (!m->words[i].claimed_by && !m->words[i].rotated && m->words[i].side == side)
            words[n++] = &m->words[i];
    return words_make_lines(m->arena, m->content, words, n, true);
}

/* Whether it is a page of a curriculum vitae, an invoice or a leaflet, where texts next to each
 * other are separate texts, or names and values. In a paper or a book they are columns, a table
 * or an equation. */
static bool is_made_by_hand(const struct making *m)
{
    return !m->content->tags && m->layout->survey->n_pages <= BY_HAND;
}

static void fill_ruled(struct making *m, struct grid *grid)
{
    grid->owner = OWNER_RULED_TABLE;
    if (!m->layout->exact && m->n_open++ < OPEN_BODIES && grid->table.n_rows == 1 &&
        open_body_add(m->arena, m->content, m->words, m->n_words, &m->grids, grid)) {
        struct rule_list rules = rules_find(m->arena, m->content);

        table_style_set(m->arena, m->content, &rules, grid);
    }
    if (!m->layout->exact)
        row_labels_add(m->arena, m->words, m->n_words, &m->grids, grid);
    grid_claim(m->content, grid);
    fill_grid(m, grid);
}

/* A frame around a running header or footer is drawn on the page, and is not a table of it. */
static void drop_header_frames(struct making *m)
{
    size_t kept = 0;

    for (size_t i = 0; i < m->grids.n; i++)
        if (!edge_tables_is_header(m->words, m->n_words, &m->grids.items[i]))
            m->grids.items[kept++] = m->grids.items[i];
    m->grids.n = kept;
}

/* The address of a letter and the block next to it. */
static void find_letter_blocks(struct making *m)
{
    struct line_list lines = rest_of(m, 0);
    struct area *frames = ARENA_ARRAY(m->arena, struct area, m->boxes.n);
    struct letter_page page = { frames, m->boxes.n, m->layout->survey->n_pages <= BY_HAND };

    for (size_t i = 0; i < m->boxes.n; i++)
        frames[i] = m->boxes.items[i].table.area;
    m->n_letter_blocks = letter_blocks_find(m->arena, m->content, &lines, &m->items, &page);
}

/* The frame around a table that was found by its words is the table's. */
static void claim_frame(struct making *m, struct grid *box)
{
    box->owner = OWNER_BORDERLESS_TABLE;
    grid_claim_frame(m->content, box);
}

/* Whether a grid is in another one: a table in a cell of a table. */
static bool is_in_grid(const struct grid_list *grids, const struct grid *grid)
{
    const struct area *a = &grid->table.area;

    for (size_t i = 0; i < grids->n; i++) {
        const struct area *b = &grids->items[i].table.area;

        if (&grids->items[i] != grid && b->x0 <= a->x0 && b->y0 <= a->y0 && b->x1 >= a->x1 &&
            b->y1 >= a->y1)
            return true;
    }
    return false;
}

/* Fills the grids that are or are not in another one. Those that do not explain the text in them go
 * to *doubtful. */
static void fill_grids(struct making *m, const struct grid_list *grids, bool in_others,
                       struct grid_list *doubtful)
{
    for (size_t i = 0; i < grids->n; i++) {
        struct grid *grid = &grids->items[i];

        if (is_in_grid(grids, grid) != in_others)
            continue;
        refine_grid(m->arena, m->content, m->words, m->n_words, grid);
        if (grid_check_is_stripe(grids, grid) ||
            grid_check_is_doubtful(m->arena, m->content, m->words, m->n_words, grid))
            *ARENA_ADD(m->arena, doubtful) = *grid;
        else
            fill_ruled(m, grid);
    }
}

/* Ruled tables, and text in frames. Where the lines do not say what the cells are, the text is
 * asked first. */
static void find_ruled(struct making *m)
{
    struct flow flow = flow_page(m);
    struct grid_list grids = m->grids, boxes = m->boxes, doubtful = { 0 }, tables;

    /* The words of a table in a cell are not the outer table's. */
    fill_grids(m, &grids, true, &doubtful);
    fill_grids(m, &grids, false, &doubtful);
    find_letter_blocks(m);
    grids = doubtful;
    for (size_t i = 0; i < boxes.n; i++)
        if (grid_check_is_doubtful(m->arena, m->content, m->words, m->n_words, &boxes.items[i]))
            *ARENA_ADD(m->arena, &doubtful) = boxes.items[i];
    if (doubtful.n) {
        struct line_list lines = rest_of(m, 0);

        tables = borderless_table_find_all(m->arena, m->content, &lines, &doubtful);
        fill_plain(m, &tables, OWNER_BORDERLESS_TABLE);
    }
    for (size_t i = 0; i < grids.n; i++)
        if (!grid_check_is_claimed(m->words, m->n_words, &grids.items[i]))
            fill_ruled(m, &grids.items[i]);
    for (size_t i = 0; i < boxes.n; i++)
        if (!grid_check_is_claimed(m->words, m->n_words, &boxes.items[i]))
            framed_text_fill(&flow, m->content, &boxes.items[i], m->words, m->n_words, &m->items);
        else if (grid_check_is_all_claimed(m->words, m->n_words, &boxes.items[i]))
            claim_frame(m, &boxes.items[i]);
}

static void find_tables(struct making *m, struct line_list lines, size_t side)
{
    struct grid_list tables = borderless_table_find_all(m->arena, m->content, &lines, NULL);
    size_t first = m->items.n;
    struct line_list pieces;

    fill_plain(m, &tables, OWNER_BORDERLESS_TABLE);
    if (tables.n)
        lines = rest_of(m, side);
    tables = is_made_by_hand(m) ? key_value_table_find_all(m->arena, m->content, &lines)
                                : (struct grid_list){ 0 };
    fill_plain(m, &tables, OWNER_KEY_VALUE_TABLE);
    if (tables.n)
        lines = rest_of(m, side);
    pieces = words_cut_lines(m->arena, m->content, &lines, 0.85F, true);
    for (size_t i = 0; i < pieces.n; i++)
        *ARENA_ADD(m->arena, &m->items) =
            (struct item){ .area = pieces.items[i].area, .line = &pieces.items[i] };
    for (size_t i = first; i < m->items.n; i++)
        m->items.items[i].side = (unsigned char) side;
}

static void find_tagged(struct making *m)
{
    struct grid_list tables = tagged_tables(m->arena, m->content, m->words, m->n_words);

    fill_plain(m, &tables, OWNER_TAGGED_TABLE);
}

/* Independent columns, the tables of each that are found by their words, and what is left as lines.
 */
static void find_lines(struct making *m)
{
    struct line_list lines = rest_of(m, 0);
    size_t n_sides = m->n_letter_blocks;

    if (is_made_by_hand(m))
        n_sides = sidebars_find(m->arena, m->content, &lines, &m->items, n_sides);
    for (size_t side = 0; side <= 2 * n_sides; side++)
        find_tables(m, n_sides ? rest_of(m, side) : lines, side);
}

/* A picture with something next to it cannot be in a line of its own. */
static bool stands_alone(const struct item_list *items, const struct item *item)
{
    for (size_t i = 0; i < items->n; i++) {
        const struct area *a = &items->items[i].area, *b = &item->area;

        if (&items->items[i] != item && fminf(a->y1, b->y1) - fmaxf(a->y0, b->y0) > 3)
            return false;
    }
    return true;
}

/* A block between paragraphs. */
static struct flowed flowed_of(const struct item *item, float x0, float x1)
{
    struct flowed flowed = { .area = item->area,
                             .base = item->area.y0 + 4,
                             .last = item->area.y1,
                             .n_lines = 1,
                             .block = *item->block };
    struct paragraph *p = &flowed.block.paragraph;

    if (item->block->kind != BLOCK_PARAGRAPH || p->boxed.border.width <= 0)
        return flowed;
    flowed.base = item->area.y0 + 0.8F * p->line;
    flowed.n_lines = p->n_lines;
    p->left += item->area.x0 - x0;
    p->right += x1 - item->area.x1;
    return flowed;
}

static void fill_column(struct making *m, const struct band *band, size_t column, float *y,
                        struct block_list *blocks)
{
    const struct item_list *items = &band->contents[column];
    float x0 = band->columns[column].x0, x1 = band->columns[column].x1;
    struct flow flow = flow_of(m, x0, x1);
    struct word_list words = { 0 };
    float *stops = ARENA_ARRAY(m->arena, float, items->n);
    size_t n_stops = 0;
    struct flowed_list list, others = { 0 };

    flow.is_block = band->pair && band->pair <= m->n_letter_blocks;
    for (size_t i = 0; i < items->n; i++) {
        const struct item *item = &items->items[i];

        for (size_t k = 0; item->line && k < item->line->words.n; k++) {
            claim_word(item->line->words.items[k], OWNER_TEXT);
            *ARENA_ADD(m->arena, &words) = item->line->words.items[k];
        }
        if (item->line)
            continue;
        if (item->block->kind == BLOCK_FIGURE && !stands_alone(items, item)) {
            figures_float(m->page, item->block->figure.picture);
            continue;
        }
        stops[n_stops++] = (item->area.y0 + item->area.y1) / 2;
        *ARENA_ADD(m->arena, &others) = flowed_of(item, x0, x1);
    }
    list = flow_paragraphs(&flow, words.items, words.n, stops, n_stops);
    for (size_t i = 0; i < list.n; i++)
        list.items[i].block.owner = OWNER_TEXT;
    framed_text_underline(&flow, m->content, &list);
    for (size_t i = 0; i < others.n; i++)
        *ARENA_ADD(m->arena, &list) = others.items[i];
    flow_place(&flow, &list, y, blocks);
}

static struct section *add_section(struct making *m)
{
    return &m->page->sections[m->page->n_sections++];
}

static float item_top(const struct item *item)
{
    return item->line ? item->line->base - 0.94F * item->line->size : item->area.y0;
}

/* Where the first line of a band of columns begins. */
static float band_top(const struct band *band)
{
    float top = INFINITY;

    for (size_t k = 0; k < band->n_columns; k++)
        for (size_t i = 0; i < band->contents[k].n; i++)
            top = fminf(top, item_top(&band->contents[k].items[i]));
    return isfinite(top) ? top : 0;
}

/* Likewise a table at a higher place is not pushed down: it would then lose height. */
static void keep_tables(struct making *m)
{
    for (size_t i = 0; i < m->items.n; i++)
        if (m->items.items[i].block && m->items.items[i].block->kind == BLOCK_TABLE)
            m->page->margins.top = fminf(m->page->margins.top, fmaxf(m->items.items[i].area.y0, 0));
}

static void fill_bands(struct making *m)
{
    struct band_list bands = column_layout_find(m->arena, &m->items);
    const struct margins *margins = &m->page->margins;
    float y = margins->top;

    m->page->sections = ARENA_ARRAY(m->arena, struct section, bands.n + 1);
    for (size_t i = 0; i < bands.n; i++) {
        struct band *band = &bands.items[i];
        struct section *section = add_section(m);
        float from = y;

        section->n_columns = band->n_columns;
        section->brief = band->brief;
        if (band->n_columns > 1 && band_top(band) > y) {
            section->before = band_top(band) - y;
            from += section->before;
        }
        if (band->n_columns == 1)
            band->columns[0] = (struct column){ margins->left, m->page->width - margins->right };
        for (size_t k = 0; k < band->n_columns; k++) {
            size_t begun = section->blocks.n;
            float to = from;

            section->columns[k] = band->columns[k];
            fill_column(m, band, k, &to, &section->blocks);
            section->begins[k] = begun;
            section->ends[k] = to;
            y = fmaxf(y, to);
            if (k > 0 && begun < section->blocks.n)
                section->blocks.items[begun].column_break = true;
        }
    }
    m->page->end = y;
}

/* At the end of the page. */
static void put_aside(struct making *m)
{
    struct section *last = m->page->n_sections ? &m->page->sections[m->page->n_sections - 1] : NULL;

    if (m->aside.n && !last) {
        last = add_section(m);
        last->n_columns = 1;
        last->columns[0] =
            (struct column){ m->page->margins.left, m->page->width - m->page->margins.right };
    }
    for (size_t i = 0; i < m->aside.n; i++)
        *ARENA_ADD(m->arena, &last->blocks) = m->aside.items[i];
    if (m->aside.n)
        m->page->notes.n_rest = 0;
}

/* Whether the page will have an even number, and with that a header of its own. */
static bool is_even_page(const struct layout *layout, const struct page_content *content)
{
    size_t first = layout->first_number > 0 ? (size_t) layout->first_number : 1;

    return (content->number - layout->first + first) % 2 == 0;
}

static void begin_page(struct making *m)
{
    *m->page = (struct page){ .width = m->content->width,
                              .height = m->content->height,
                              .margins = m->content->number % 2 ? m->layout->survey->facing
                                                                : m->layout->survey->margins,
                              .even = is_even_page(m->layout, m->content),
                              .header_set = NO_HEADER_SET,
                              .number = -1 };
    margins_fit(m->layout->survey, m->page);
    m->page->floats =
        ARENA_ARRAY(m->arena, struct block, m->content->n_pictures + PAGE_ADDED_PICTURES);
    bullets_find(m->content);
    m->words = words_find(m->arena, m->content, &m->n_words);
    if (!m->layout->exact)
        formula_find_all(m->arena, m->content, m->words, &m->n_words);
    m->page->words = m->words;
    m->page->n_words = m->n_words;
    underlines_find(m->content, m->words, m->n_words);
}

/* For a page that was not understood: all its words, in the order of the file. */
static void make_plain(struct making *m)
{
    struct flow flow;

    begin_page(m);
    flow = flow_page(m);
    m->page->plain = true;
    m->page->sections = ARENA_ARRAY(m->arena, struct section, 1);
    for (size_t i = 0; i < m->content->n_pictures; i++)
        figures_float(m->page, &m->content->pictures[i]);
    rotated_text_add_plain(&flow, m->words, m->n_words, add_section(m));
}

/* For a page that is a drawing with labels. */
static void make_diagram(struct making *m)
{
    struct flow flow = flow_page(m);

    m->page->sections = ARENA_ARRAY(m->arena, struct section, 1);
    for (size_t i = 0; i < m->content->n_pictures; i++)
        figures_float(m->page, &m->content->pictures[i]);
    add_section(m)->n_columns = 1;
    diagram_put(&flow, m->words, m->n_words, m->page);
}

/* Text above the usual top margin moves the margin up. */
static void keep_top(struct making *m)
{
    for (size_t i = 0; i < m->n_words; i++) {
        const struct word *word = &m->words[i];

        if (!word->claimed_by && !word->rotated && word->base > 0)
            m->page->margins.top =
                fminf(m->page->margins.top, fmaxf(word->base - 0.9F * word->size, 0));
    }
}

/* Where text has to end: above the footer, or where one is on other pages. */
static float limit_of(const struct making *m, const struct word_list *foot)
{
    float limit = m->page->height - m->page->margins.bottom;

    for (size_t i = 0; i < foot->n; i++)
        limit = fminf(limit, foot->items[i]->area.y0);
    if (foot->n == 0)
        limit = fminf(limit, m->page->height - survey_foot_y(m->layout->survey));
    return limit - SLACK;
}

/* A page that can be nothing but a drawing with labels. */
static void pass_diagram(struct making *m)
{
    m->done = diagram_is(m->arena, m->content, m->words, m->n_words) &&
              diagram_is_sure(m->content, m->words, m->n_words);
    if (m->done)
        make_diagram(m);
}

static void pass_grids(struct making *m)
{
    m->grids = grid_find_all(m->arena, m->content, m->words, m->n_words, &m->boxes);
    edge_tables_reserve_grids(m->content, &m->grids, m->words, m->n_words,
                              RUNNING_ZONE * m->content->height);
}

static void pass_header_footer(struct making *m)
{
    const struct survey *survey = m->layout->survey;
    struct flow flow;

    header_footer_claim(survey, m->headers, m->arena, m->content, m->words, m->n_words,
                        &m->header_footer);
    keep_top(m);
    flow = flow_page(m);
    if (!header_footer_is_text(survey))
        header_footer_put(m->headers, &flow, &m->header_footer, m->page->even && survey->alternates,
                          m->page);
    drop_header_frames(m);
}

static void pass_charts(struct making *m)
{
    figures_charts(&m->layout->drawer, m->arena, m->content, m->words, m->n_words);
}

static void pass_pictures(struct making *m)
{
    figures_place(m->layout->exact, m->arena, m->content, m->page, &m->items);
}

static void pass_margin_notes(struct making *m)
{
    struct flow flow = flow_page(m);

    margin_notes_add(&flow, m->words, m->n_words, m->page);
}

static void pass_rotated(struct making *m)
{
    struct flow flow = flow_page(m);

    if (m->layout->exact)
        rotated_text_add_boxes(&flow, m->words, m->n_words, m->page);
    else
        rotated_text_add(&flow, m->words, m->n_words, m->page, &m->items, &m->aside);
}

static void pass_columns(struct making *m)
{
    keep_tables(m);
    fill_bands(m);
}

static void pass_footnotes(struct making *m)
{
    footnotes_find(m->layout->survey, m->arena, m->content, m->page);
}

static void pass_joined_columns(struct making *m)
{
    if (!m->layout->exact)
        column_transition_join(m->layout->survey, m->arena, m->page);
    column_transition_widen(m->page);
}

static void pass_fit(struct making *m)
{
    fit_to_page(m->page, limit_of(m, &m->header_footer.foot));
}

/* Puts a section of these blocks before the section of that index. */
static void insert_section(struct making *m, size_t at, const struct block_list *blocks)
{
    struct page *page = m->page;
    struct section *sections = ARENA_ARRAY(m->arena, struct section, page->n_sections + 1);
    struct section *added = &sections[at];

    if (blocks->n == 0)
        return;
    for (size_t i = 0; i < page->n_sections; i++)
        sections[i + (i >= at)] = page->sections[i];
    *added = (struct section){ .n_columns = 1, .blocks = *blocks };
    added->columns[0] = (struct column){ page->margins.left, page->width - page->margins.right };
    added->ends[0] = page->end;
    page->sections = sections;
    page->n_sections++;
}

/* Headers and footers that are text of the page are before and after all other. */
static void pass_header_text(struct making *m)
{
    struct flow flow = flow_page(m);
    struct block_list head = { 0 }, foot = { 0 };

    if (!header_footer_is_text(m->layout->survey))
        return;
    header_footer_flow(&flow, m->content, &m->header_footer.head, m->n_words, &head);
    header_footer_flow(&flow, m->content, &m->header_footer.foot, m->n_words, &foot);
    insert_section(m, 0, &head);
    insert_section(m, m->page->n_sections, &foot);
    if (foot.n)
        m->page->notes.n_rest = 0;
}

/* A page of which text was lost is written plainly. */
static void pass_complete(struct making *m)
{
    if (complete_is(m->page, m->words, m->n_words))
        return;
    begin_page(m);
    if (diagram_is(m->arena, m->content, m->words, m->n_words))
        make_diagram(m);
    else
        make_plain(m);
}

#define WORDS LAYOUT_WORDS
#define FILLS LAYOUT_FILLS

static const struct layout_pass passes[] = {
    { "words", FILLS, false, begin_page },
    { "diagram", WORDS, false, pass_diagram },
    { "ruled_candidates", 0, false, pass_grids },
    { "header_footer", WORDS, false, pass_header_footer },
    { "ruled_tables", WORDS | FILLS, false, find_ruled },
    { "charts", WORDS | FILLS, true, pass_charts },
    { "pictures", 0, false, pass_pictures },
    { "margin_notes", WORDS, true, pass_margin_notes },
    { "tagged_tables", WORDS | FILLS, false, find_tagged },
    { "borderless_tables", WORDS | FILLS, false, find_lines },
    { "rotated", WORDS, false, pass_rotated },
    { "columns", WORDS | FILLS, false, pass_columns },
    { "footnotes", FILLS, true, pass_footnotes },
    { "joined_columns", 0, false, pass_joined_columns },
    { "aside", 0, false, put_aside },
    { "fit", 0, true, pass_fit },
    { "header_text", 0, false, pass_header_text },
    { "complete", WORDS | FILLS, false, pass_complete },
};

int layout_page(const struct layout *layout, struct arena *arena, struct page_content *content,
                struct page *page, struct header_sets *headers, struct err *err)
{
    struct making m = {
        .layout = layout, .arena = arena, .content = content, .page = page, .headers = headers
    };

    if (setjmp(arena->full) || setjmp(headers->arena.full))
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu has too much on it", content->number + 1);
    for (size_t i = 0; i < COUNT(passes) && !m.done; i++) {
        if (passes[i].flowing && layout->exact)
            continue;
        passes[i].run(&m);
        if (layout->watch)
            layout->watch->passed(layout->watch->hand, &passes[i], content, page,
                                  m.done || i + 1 == COUNT(passes));
    }
    return 0;
}

int layout_plain(const struct layout *layout, struct arena *arena, struct page_content *content,
                 struct page *page, struct err *err)
{
    struct making m = { .layout = layout, .arena = arena, .content = content, .page = page };

    if (setjmp(arena->full))
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu has too much on it", content->number + 1);
    make_plain(&m);
    return 0;
}

int layout_survey(struct survey *survey, struct arena *arena, const struct page_content *content,
                  struct err *err)
{
    struct word *words;
    size_t n;

    if (setjmp(arena->full))
        return err_set(err, ERR_LIMIT_EXCEEDED, "page %zu has too much on it", content->number + 1);
    words = words_find(arena, content, &n);
    edge_tables_reserve_rows(arena, content, words, n, RUNNING_ZONE * content->height);
    survey_add(survey, arena, content, words, n);
    return 0;
}
