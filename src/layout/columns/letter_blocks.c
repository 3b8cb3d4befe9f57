#include "layout/columns/letter_blocks.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "layout/columns/column_gap.h"
#include "layout/columns/postal_address.h"

#define CANDIDATES 24   /* places where the right block can begin */
#define MOST       1500 /* lines of a page that is looked at */
#define MOST_ITEMS 200  /* limit of items that are not lines */
#define LINES      3    /* of a block, at least */
#define OTHER      2    /* lines next to it, at least */
#define FAR        2.1F /* sizes between baselines: more parts what is above from what is below */
#define LOOSE      1.5F /* the same, of what stands next to nothing */
#define BLOCK      1.8F /* the same, of the lines of an address */
#define GAP        1.5F /* sizes of white between the blocks, or between parts of a line, at least */
#define SAME_SIZE  0.05F
#define TOP        0.45F /* of the page's height: blocks begin above that */
#define TEXT       60    /* characters of a line of running text, at least */
#define ABOVE      3     /* such lines above blocks, at most: a letterhead */
#define SAME_EDGE  2     /* points: edges of lines are at the same place */

struct finding {
    struct arena *arena;
    const struct letter_page *page;
    float height; /* of the page */
    const struct line_list *lines;
    const struct item_list *items;
    struct column_gap_row *rows;
    size_t n_rows;
    const struct line **block; /* the lines of a side of some rows */
};

/* Rows from..to - 1, of which one side may be the address. */
struct part {
    float x;
    size_t from, to;
};

static const struct line *side_of(const struct column_gap_row *row, bool right)
{
    const struct line *line = right ? &row->right : &row->left;

    return line->words.n ? line : NULL;
}

static bool has_gap(const struct line *line)
{
    for (size_t i = 1; i < line->words.n; i++)
        if (line->words.items[i]->area.x0 - line->words.items[i - 1]->area.x1 > GAP * line->size)
            return true;
    return false;
}

/* The lines of one side of a part; how many. */
static size_t block_of(const struct finding *f, const struct part *part, bool right)
{
    size_t n = 0;

    for (size_t i = part->from; i < part->to; i++)
        if (side_of(&f->rows[i], right))
            f->block[n++] = side_of(&f->rows[i], right);
    return n;
}

static bool is_aligned(const struct line *a, const struct line *b)
{
    return fabsf(a->area.x0 - b->area.x0) < SAME_EDGE;
}

/* Whether the lines at one side are an address, but for others above and below it. */
static bool has_address(const struct finding *f, const struct part *part, bool right)
{
    size_t n = block_of(f, part, right);

    for (size_t from = 0; from < n;) {
        size_t to = from + 1;

        while (to < n && f->block[to]->base - f->block[to - 1]->base < BLOCK * f->block[to]->size &&
               is_aligned(f->block[to], f->block[from]))
            to++;
        for (size_t at = from; at + LINES <= to && at <= from + OTHER; at++)
            if (postal_address_is(f->block + at, to - at))
                return true;
        from = to;
    }
    return false;
}

static size_t count_level(const struct finding *f, const struct part *part)
{
    size_t level = 0;

    for (size_t i = part->from; i < part->to; i++)
        level += f->rows[i].left.words.n && f->rows[i].right.words.n;
    return level;
}

static bool has_digit(const struct line *line)
{
    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++)
            if (line->words.items[i]->glyphs[k].code - '0' < 10)
                return true;
    return false;
}

/* Whether what is left of an address are the names of its lines: "Street:", "Town:". */
static bool has_labels(const struct finding *f, const struct part *part)
{
    size_t n = block_of(f, part, false), colons = 0, digits = 0;

    for (size_t i = 0; i < n; i++) {
        const struct word *last = f->block[i]->words.items[f->block[i]->words.n - 1];

        colons += last->glyphs[last->n_glyphs - 1].code == ':';
        digits += has_digit(f->block[i]);
    }
    return colons * 2 >= n || (count_level(f, part) == part->to - part->from && digits * 2 < n);
}

/* Of the words of a side: the size of a line is that of both. */
static float size_of(const struct line *line)
{
    return line->words.items[0]->size;
}

static bool is_size(const struct line *line, float size)
{
    return fabsf(size_of(line) - size) < SAME_SIZE * size;
}

/* Whether lines of one side have one size and those of the other have two in turn: small labels
 * above their values. */
static bool alternates(const struct finding *f, const struct part *part, bool right)
{
    size_t n = block_of(f, part, !right), turns = 0;
    float size, other = 0;

    if (n < LINES)
        return false;
    size = size_of(f->block[n - 1]);
    for (size_t i = 1; i < n; i++)
        if (!is_size(f->block[i], size))
            return false;
    n = block_of(f, part, right);
    if (n < 2 * OTHER)
        return false;
    size = size_of(f->block[0]);
    for (size_t i = 1; i < n; i++) {
        if (!is_size(f->block[i], size) && other <= 0)
            other = size_of(f->block[i]);
        if (!is_aligned(f->block[i], f->block[0]) ||
            (!is_size(f->block[i], size) && !is_size(f->block[i], other)))
            return false;
        turns += !is_size(f->block[i], size_of(f->block[i - 1]));
    }
    return turns >= LINES && turns * 3 >= n * 2 - 2;
}

static bool holds(const struct area *frame, const struct line *line)
{
    return line->area.x0 > frame->x0 - 1 && line->area.x1 < frame->x1 + 1 &&
           line->base > frame->y0 && line->base < frame->y1;
}

/* Whether the lines of one side are in a frame, and no others. */
static bool is_framed(const struct finding *f, const struct part *part, bool right)
{
    for (size_t k = 0; k < f->page->n_frames; k++) {
        size_t in = 0, out = 0, level = 0;

        for (size_t i = part->from; i < part->to; i++) {
            const struct line *line = side_of(&f->rows[i], right);
            const struct line *next = side_of(&f->rows[i], !right);

            in += line && holds(&f->page->frames[k], line);
            out += (line && !holds(&f->page->frames[k], line)) ||
                   (next && holds(&f->page->frames[k], next));
            level += line && next;
        }
        if (in >= LINES && out == 0 && level >= OTHER)
            return true;
    }
    return false;
}

/* A table at that side is a block too. */
static bool has_table(const struct finding *f, const struct part *part, bool right)
{
    float y0 = f->rows[part->from].y0, y1 = f->rows[part->to - 1].y1;

    for (size_t i = 0; i < f->items->n; i++) {
        const struct item *item = &f->items->items[i];

        if (item->block && item->block->kind == BLOCK_TABLE && !item->side && item->area.y0 < y1 &&
            item->area.y1 > y0 && (item->area.x0 > part->x - SAME_EDGE) == right)
            return true;
    }
    return false;
}

static bool is_apart(const struct finding *f, const struct part *part)
{
    for (size_t i = part->from; i < part->to; i++)
        if (side_of(&f->rows[i], false) &&
            part->x - f->rows[i].left.area.x1 < GAP * f->rows[i].size)
            return false;
    return true;
}

/* Whether a part is where a letter begins: running text is below it. */
static bool is_at_top(const struct finding *f, const struct part *part)
{
    size_t above = 0;

    for (size_t i = 0; i < part->from; i++)
        above += column_gap_chars(&f->rows[i].left) >= TEXT ||
                 column_gap_chars(&f->rows[i].right) >= TEXT;
    return f->rows[part->from].y0 < TOP * f->height && above <= ABOVE;
}

/* Whether one side of a part is a block of its own, and the other another one. */
static bool are_blocks(const struct finding *f, const struct part *part, bool right)
{
    size_t own = block_of(f, part, right), others = block_of(f, part, !right);
    bool table = has_table(f, part, !right);

    if (own < LINES || (others < OTHER && !table) || (count_level(f, part) == 0 && !table) ||
        !is_apart(f, part) || !is_at_top(f, part))
        return false;
    if (has_address(f, part, right) && !(right && has_labels(f, part)))
        return true;
    return f->page->is_short && (alternates(f, part, right) || is_framed(f, part, right));
}

/* Where a part ends that begins at row i: at what goes across, below white, and at a line of the
 * side that has several parts. */
static size_t end_of(const struct finding *f, size_t i, bool right)
{
    size_t from = i;

    for (; i < f->n_rows; i++) {
        const struct column_gap_row *row = &f->rows[i];

        if (row->across || (side_of(row, right) && has_gap(side_of(row, right))))
            break;
        if (i > from && (row->cut || row->base - row[-1].base > FAR * row->size))
            break;
    }
    return i;
}

/* Without what stands above or below it, at a distance and next to nothing. */
static void trim(const struct finding *f, struct part *part)
{
    const struct column_gap_row *rows = f->rows;

    while (part->to - part->from > 1 && !side_of(&rows[part->to - 1], true) &&
           rows[part->to - 1].base - rows[part->to - 2].base > LOOSE * rows[part->to - 1].size)
        part->to--;
    while (part->to - part->from > 1 && !side_of(&rows[part->from], true) &&
           rows[part->from + 1].base - rows[part->from].base > LOOSE * rows[part->from + 1].size)
        part->from++;
}

static void look_at(struct finding *f, float x, struct part *found)
{
    struct column_gap_strip strip = { .x = x };

    f->n_rows = column_gap_rows(f->lines, f->items, &strip, f->rows);
    for (int right = 0; right < 2; right++)
        for (size_t i = 0; i < f->n_rows;) {
            struct part part = { x, i, end_of(f, i, right) };

            i = part.to > i ? part.to : i + 1;
            if (part.to <= part.from)
                continue;
            trim(f, &part);
            if (part.to - part.from > found->to - found->from && are_blocks(f, &part, right))
                *found = part;
        }
}

static int by_left(const void *a, const void *b)
{
    return num_compare_floats(&((const struct area *) a)->x0, &((const struct area *) b)->x0);
}

static int by_right(const void *a, const void *b)
{
    return num_compare_floats(&((const struct area *) a)->x1, &((const struct area *) b)->x1);
}

/* Adds the left edge of each group of areas that begin, or end, at one place. */
static size_t add_places(struct area *areas, size_t n, bool ends, float *places, size_t n_places)
{
    if (n)
        qsort(areas, n, sizeof *areas, ends ? by_right : by_left);
    for (size_t i = 0; i < n && n_places < CANDIDATES;) {
        size_t first = i;
        float x = areas[i].x0;

        for (; i < n && (ends ? areas[i].x1 - areas[first].x1 : areas[i].x0 - areas[first].x0) <
                            COLUMN_GAP_SAME;
             i++)
            x = fminf(x, areas[i].x0);
        if (i - first >= OTHER)
            places[n_places++] = x;
    }
    return n_places;
}

/* Where the right one of two blocks can begin. */
static size_t find_places(const struct finding *f, const struct page_content *content,
                          float *places)
{
    struct line_list pieces = words_cut_lines(f->arena, content, f->lines, GAP, false);
    struct area *areas = ARENA_ARRAY(f->arena, struct area, pieces.n);
    size_t n = 0, n_places;

    for (size_t i = 0; i < pieces.n; i++)
        if (pieces.items[i].area.x0 > 0.25F * content->width)
            areas[n++] = pieces.items[i].area;
    n_places = add_places(areas, n, false, places, 0);
    n_places = add_places(areas, n, true, places, n_places);
    for (size_t i = 0; i < f->items->n && n_places < CANDIDATES; i++)
        if (f->items->items[i].block && f->items->items[i].block->kind == BLOCK_TABLE)
            places[n_places++] = f->items->items[i].area.x0;
    return n_places;
}

static void mark_line(const struct line *line, size_t side)
{
    for (size_t i = 0; i < line->words.n; i++)
        line->words.items[i]->side = (unsigned char) side;
}

static void mark(const struct finding *f, const struct part *part, struct item_list *items)
{
    float y0 = f->rows[part->from].y0, y1 = f->rows[part->to - 1].y1;

    for (size_t i = part->from; i < part->to; i++) {
        mark_line(&f->rows[i].left, 1);
        mark_line(&f->rows[i].right, 2);
    }
    for (size_t i = 0; i < items->n; i++) {
        const struct area *a = &items->items[i].area;

        if (a->y0 < y1 && a->y1 > y0 && !items->items[i].side)
            items->items[i].side = 1 + (a->x0 >= part->x - COLUMN_GAP_SAME);
    }
}

size_t letter_blocks_find(struct arena *arena, const struct page_content *content,
                          const struct line_list *lines, struct item_list *items,
                          const struct letter_page *page)
{
    struct finding f = {
        .arena = arena, .page = page, .height = content->height, .lines = lines, .items = items
    };
    struct part found = { 0 };
    float places[CANDIDATES];
    size_t n_places;

    if (lines->n < LINES || lines->n > MOST || items->n > MOST_ITEMS)
        return 0;
    f.rows = ARENA_ARRAY(arena, struct column_gap_row, lines->n);
    f.block = ARENA_ARRAY(arena, const struct line *, lines->n);
    n_places = find_places(&f, content, places);
    for (size_t i = 0; i < n_places; i++)
        look_at(&f, places[i], &found);
    if (found.to == 0)
        return 0;
    f.n_rows = column_gap_rows(lines, items, &(struct column_gap_strip){ .x = found.x }, f.rows);
    mark(&f, &found, items);
    return 1;
}
