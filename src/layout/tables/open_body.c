#include "layout/tables/open_body.h"

#include <math.h>

#include "layout/regions/rows.h"

#define FAR     3.3F  /* sizes: from a row, or from the lower edge of the head, to the next */
#define LEADING 1.5F  /* sizes: between lines of one cell, at most */
#define NARROW  0.35F /* sizes: between words in two columns, at least */
#define MARGIN  1.0F  /* points: that a word may reach over an edge */
#define BELOW   0.4F  /* sizes: from the last baseline to the end of the table */
#define SPACE   0.25F /* sizes: of a space between words */
#define PADDING 2.0F  /* points: least distance between a column's edge and its text */
#define COLUMNS 4     /* of a body without a column of values, at least */
#define PROSE   3     /* lines of running text in a column, at least */
#define LONG    18    /* characters of one, as a mean */
#define PENDING 2     /* lines in one column between two rows, at most */

/* What a line has in a column, or in several from this one on. */
struct part {
    size_t first, last;
    float x0, x1;
    size_t chars;
    bool value;
};

enum kind { LINE_STOPS, LINE_LONE, LINE_FITS };

struct body_line {
    enum kind kind;
    float base, size;
    struct part *parts;
    size_t n;
    bool begins; /* a row of the table */
};

struct body {
    const struct grid *grid;
    struct body_line *lines;
    size_t n;
};

static size_t column_at(const struct grid *grid, float x)
{
    size_t column = 0;

    while (column + 1 < grid->table.n_columns && x >= grid->xs[column + 1])
        column++;
    return column;
}

static size_t column_of(const struct grid *grid, const struct word *word)
{
    return column_at(grid, (word->area.x0 + word->area.x1) / 2);
}

static bool is_digit(uint32_t c)
{
    return c - '0' < 10;
}

/* Adds a word to the last part of the line. */
static void add_word(struct body_line *line, const struct grid *grid, const struct word *word)
{
    struct part *part = &line->parts[line->n - 1];
    size_t digits = 0;

    part->x1 = fmaxf(part->x1, word->area.x1);
    part->last = column_at(grid, fmaxf(part->x1 - MARGIN, part->x0));
    part->chars += word->n_glyphs + (part->chars > 0);
    for (size_t i = 0; i < word->n_glyphs; i++)
        digits += is_digit(word->glyphs[i].code);
    part->value = part->value && digits * 2 >= word->n_glyphs;
}

/* Puts the words of a row into the columns. */
static void place_words(struct arena *arena, const struct grid *grid, const struct row *row,
                        struct body_line *line)
{
    line->parts = ARENA_ARRAY(arena, struct part, row->line.words.n);
    for (size_t i = 0; i < row->line.words.n; i++) {
        const struct word *word = row->line.words.items[i];
        const struct word *before = i > 0 ? row->line.words.items[i - 1] : NULL;
        float gap = before ? word->area.x0 - before->area.x1 : INFINITY;

        if (gap >= ROWS_WHITE * line->size ||
            (gap >= NARROW * line->size && column_of(grid, word) != column_of(grid, before))) {
            line->parts[line->n++] =
                (struct part){ .first = column_at(grid, word->area.x0 + MARGIN),
                               .x0 = word->area.x0,
                               .x1 = word->area.x1,
                               .value = true };
        }
        add_word(line, grid, word);
    }
}

static struct body_line read_body_line(struct arena *arena, const struct grid *grid,
                                       const struct row *row)
{
    struct body_line line = { .base = row->line.base, .size = row->line.size };
    size_t spans = 0;

    place_words(arena, grid, row, &line);
    if (line.n == 0 || line.parts[0].x0 < grid->xs[0] - MARGIN ||
        line.parts[line.n - 1].x1 > grid->xs[grid->table.n_columns] + MARGIN)
        return line;
    for (size_t i = 0; i < line.n; i++) {
        spans += line.parts[i].last > line.parts[i].first;
        if (i > 0 && line.parts[i].first <= line.parts[i - 1].last)
            return line;
    }
    if (line.n > 1 && spans < line.n)
        line.kind = LINE_FITS;
    else if (spans == 0)
        line.kind = LINE_LONE;
    return line;
}

static const struct part *part_in(const struct body_line *line, size_t column)
{
    for (size_t i = 0; i < line->n; i++)
        if (line->parts[i].first <= column && line->parts[i].last >= column)
            return &line->parts[i];
    return NULL;
}

/* Whether all parts of a line go on with what is above them: the first column's, and all of a line
 * with several, where it had no room. */
static bool goes_on(const struct body *body, size_t at)
{
    const struct body_line *line = &body->lines[at], *above = line - 1;

    if (at == 0 || line->base - above->base > LEADING * line->size)
        return false;
    for (size_t i = 0; i < line->n; i++) {
        const struct part *part = &line->parts[i], *over = part_in(above, part->first);
        float right = body->grid->xs[part->last + 1] - PADDING;
        bool free = line->kind == LINE_LONE && part->first > 0;

        if (!over || (!free && over->x1 + SPACE * line->size + (part->x1 - part->x0) < right))
            return false;
    }
    return true;
}

/* How many lines are rows, or parts of them. */
static size_t find_end(struct body *body)
{
    size_t end = 0, pending = 0;

    for (size_t i = 0; i < body->n && pending <= PENDING; i++) {
        struct body_line *line = &body->lines[i];

        line->begins = !goes_on(body, i);
        pending = line->kind == LINE_FITS || !line->begins ? 0 : pending + 1;
        if (line->kind == LINE_FITS || (!line->begins && end == i && i > 0))
            end = i + 1;
    }
    return end;
}

/* Whether a column is values; and whether it is running text. */
static void look_at(const struct body *body, size_t column, bool *values, bool *prose)
{
    const struct grid *grid = body->grid;
    size_t lines = 0, n_values = 0, chars = 0, followed = 0;
    float last = -INFINITY;

    for (size_t i = 0; i < body->n; i++) {
        const struct part *part = part_in(&body->lines[i], column);

        if (!part || part->last > part->first)
            continue;
        lines++;
        n_values += part->value;
        chars += part->chars;
        followed += body->lines[i].base - last < LEADING * body->lines[i].size &&
                    part->x1 - part->x0 > 0.5F * (grid->xs[column + 1] - grid->xs[column]);
        last = body->lines[i].base;
    }
    *values = lines > 0 && n_values == lines;
    *prose = lines >= PROSE && chars >= LONG * lines && followed * 2 >= lines;
}

/* Whether lines with several texts are no nearer to each other than rows are. */
static bool is_loose(const struct body *body)
{
    for (size_t i = 1; i < body->n; i++)
        if (body->lines[i].begins &&
            body->lines[i].base - body->lines[i - 1].base <= LEADING * body->lines[i].size)
            return false;
    return true;
}

/* How many lines are rows of a table, or parts of them; 0: they are something else. */
static size_t find_rows(struct body *body)
{
    size_t values = 0, prose = 0, columns = body->grid->table.n_columns;

    body->n = find_end(body);
    for (size_t c = 0; c < columns; c++) {
        bool is_values, is_prose;

        look_at(body, c, &is_values, &is_prose);
        values += is_values;
        prose += is_prose;
    }
    if (prose > 1 && values == 0)
        return 0;
    return values > 0 || columns >= COLUMNS || (columns > 2 && is_loose(body)) ? body->n : 0;
}

/* How many lines are texts of several lines each, as addresses are: they are one row. */
static size_t find_texts(struct body *body)
{
    size_t n = 0, fitting = 0;

    while (n < body->n && (n == 0 || body->lines[n].base - body->lines[n - 1].base <=
                                         LEADING * body->lines[n].size)) {
        fitting += body->lines[n].kind == LINE_FITS;
        body->lines[n++].begins = false;
    }
    body->n = n;
    for (size_t c = 0; c < body->grid->table.n_columns; c++) {
        bool values, prose;

        look_at(body, c, &values, &prose);
        if (prose)
            return 0;
    }
    return fitting > 1 ? n : 0;
}

/* The lines below the head, up to where something else begins. */
static struct body lines_below(struct arena *arena, const struct page_content *content,
                               struct word *words, size_t n, const struct grid_list *grids,
                               const struct grid *grid)
{
    struct word **below = ARENA_ARRAY(arena, struct word *, n);
    const struct area *head = &grid->table.area;
    float end = INFINITY;
    size_t n_below = 0;
    struct line_list lines;
    struct row_list rows;
    struct body body = { .grid = grid };

    for (size_t i = 0; i < grids->n; i++) {
        const struct area *a = &grids->items[i].table.area;

        if (&grids->items[i] != grid && a->y0 > head->y0 && a->x0 < head->x1 && a->x1 > head->x0)
            end = fminf(end, a->y0);
    }
    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);

        if (!words[i].claimed_by && !words[i].rotated && at.y > head->y1 && at.y < end &&
            words[i].area.x1 > head->x0 && words[i].area.x0 < head->x1)
            below[n_below++] = &words[i];
    }
    lines = words_make_lines(arena, content, below, n_below, true);
    rows = rows_make(arena, &lines);
    body.lines = ARENA_ARRAY(arena, struct body_line, rows.n);
    for (float base = head->y1; body.n < rows.n; body.n++) {
        struct body_line *line = &body.lines[body.n];

        *line = read_body_line(arena, grid, &rows.items[body.n]);
        if (line->kind == LINE_STOPS || line->base - base > FAR * line->size)
            break;
        base = line->base;
    }
    return body;
}

/* The cells of a row, from its first line to before `end`. */
static void add_cells(const struct body *body, size_t at, size_t end, size_t row,
                      struct table *table)
{
    for (size_t c = 0; c < table->n_columns;) {
        const struct part *part = NULL;
        struct cell *cell = &table->cells[table->n_cells++];

        for (size_t i = at; i < end && !part; i++)
            part = part_in(&body->lines[i], c);
        *cell =
            (struct cell){ .row = row, .column = c, .rows = 1, .columns = 1, .shade = STYLE_PLAIN };
        if (part && part->first == c)
            cell->columns = part->last - part->first + 1;
        c += cell->columns;
    }
}

static void add_rows(struct arena *arena, const struct body *body, struct grid *grid)
{
    struct table *table = &grid->table;
    struct cell *cells = table->cells;
    size_t n_cells = table->n_cells, n_rows = 1;
    float *ys = ARENA_ARRAY(arena, float, body->n + 2);

    table->cells = ARENA_ARRAY(arena, struct cell, n_cells + body->n * table->n_columns);
    for (size_t i = 0; i < n_cells; i++)
        table->cells[i] = cells[i];
    ys[0] = grid->ys[0];
    for (size_t i = 0; i < body->n;) {
        size_t end = i + 1;
        const struct body_line *line = &body->lines[i];

        while (end < body->n && !body->lines[end].begins)
            end++;
        ys[n_rows] =
            i == 0 ? grid->ys[1]
                   : (line[-1].base + DESCENT * line->size + line->base - ASCENT * line->size) / 2;
        add_cells(body, i, end, n_rows, table);
        n_rows++;
        i = end;
    }
    ys[n_rows] = body->lines[body->n - 1].base + BELOW * body->lines[body->n - 1].size;
    table->n_rows = n_rows;
    table->heights = ARENA_ARRAY(arena, float, n_rows);
    grid->ys = ys;
    grid_measure(grid);
}

bool open_body_add(struct arena *arena, const struct page_content *content, struct word *words,
                   size_t n, const struct grid_list *grids, struct grid *grid)
{
    struct body body;
    size_t all, rows;

    if (grid->table.n_rows != 1 || grid->table.n_columns < 2)
        return false;
    body = lines_below(arena, content, words, n, grids, grid);
    all = body.n;
    rows = find_rows(&body);
    if (!rows) {
        body.n = all;
        rows = find_texts(&body);
    }
    body.n = rows;
    if (rows == 0)
        return false;
    body.lines[0].begins = true;
    add_rows(arena, &body, grid);
    return true;
}
