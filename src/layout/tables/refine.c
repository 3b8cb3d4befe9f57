#include "layout/tables/refine.h"

#include <math.h>
#include <stdlib.h>

#define WHITE    1.0F  /* sizes: between two cells of a row */
#define SPACE    0.25F /* sizes: of a space between words */
#define NEAR     0.45F /* sizes: baselines of one row */
#define LEADING  1.5F  /* sizes: between lines of one cell, at most */
#define MOST     200   /* rows that one is divided into */
#define PADDING  2.0F  /* points: least distance between a line and the text next to it */
#define MARGIN   0.5F  /* points: that a word may reach over an edge */
#define COVERED  0.6F  /* of the records: those that several columns have a part of, at least */
#define LOOSE    3     /* lines of a column without values that show records */
#define BROKEN   0.9F  /* of their breaks: those that no lack of room explains, at least */
#define SHORTEST 2     /* values one below the other */
#define VALUE    16    /* characters of one, at most */
#define ON_RECORDS                                                                                 \
    0.8F           /* of the lines of an unruled column that begin records: those, at least        \
                    */
#define APART 0.8F /* sizes: from one record's baseline to the next, at least */

/* What the lines of a cell show of the records in a row: nothing; lines that end although there was
 * room for the next word; or values, one in each line. */
enum evidence { SHOWS_NOTHING, SHOWS_LINES, SHOWS_VALUES };

struct refining {
    struct arena *arena;
    const struct page_content *content;
    struct grid *grid;
    struct line_list *lines; /* of each cell */
    bool *rotated;           /* whether each cell has words that are not upright */
    enum evidence *shows;    /* what the lines of each cell show, with those of its column */
    size_t *first;           /* cell of each row; one more, for the end of the last row */
};

/* Rows `from` to before `to`: a single one, or rows with cells over several of them: no line
 * between two of them goes across all columns. */
struct band {
    size_t from, to;
};

/* The lines of each cell, from top to bottom. */
static void collect_words(struct refining *r, struct word *words, size_t n)
{
    const struct table *table = &r->grid->table;
    struct word_list *lists = ARENA_ARRAY(r->arena, struct word_list, table->n_cells);

    r->lines = ARENA_ARRAY(r->arena, struct line_list, table->n_cells);
    r->rotated = ARENA_ARRAY(r->arena, bool, table->n_cells);
    for (size_t i = 0; i < n; i++) {
        struct place at = words_middle(&words[i]);
        const struct cell *cell = !words[i].claimed_by && area_has(&table->area, at.x, at.y)
                                      ? grid_cell(r->grid, at.x, at.y)
                                      : NULL;

        if (cell && words[i].rotated)
            r->rotated[cell - table->cells] = true;
        else if (cell)
            *ARENA_ADD(r->arena, &lists[cell - table->cells]) = &words[i];
    }
    for (size_t i = 0; i < table->n_cells; i++)
        r->lines[i] = words_make_lines(r->arena, r->content, lists[i].items, lists[i].n, false);
    r->first = ARENA_ARRAY(r->arena, size_t, table->n_rows + 1);
    for (size_t row = 0, i = 0; row <= table->n_rows; row++) {
        while (i < table->n_cells && table->cells[i].row < row)
            i++;
        r->first[row] = i;
    }
}

enum finding { EDGE_FREE, EDGE_BETWEEN, EDGE_CUTS };

/* What a line has at an edge: nothing on one of the sides; white space; or text. */
static enum finding check_edge(const struct line *line, float x)
{
    const struct word *before = NULL, *after = NULL;

    for (size_t i = 0; i < line->words.n; i++) {
        const struct word *word = line->words.items[i];

        if (word->area.x1 <= x + MARGIN)
            before = word;
        else if (word->area.x0 < x - MARGIN)
            return EDGE_CUTS;
        else if (!after)
            after = word;
    }
    if (!before || !after)
        return EDGE_FREE;
    return after->area.x0 - before->area.x1 >= WHITE * line->size ? EDGE_BETWEEN : EDGE_CUTS;
}

/* Whether the cell has text between two of its edges. */
static bool has_text(const struct refining *r, size_t i, size_t from, size_t to)
{
    const float *xs = r->grid->xs + r->grid->table.cells[i].column;

    for (size_t k = 0; k < r->lines[i].n; k++) {
        const struct line *line = &r->lines[i].items[k];

        for (size_t w = 0; w < line->words.n; w++) {
            float x = (line->words.items[w]->area.x0 + line->words.items[w]->area.x1) / 2;

            if (x >= xs[from] && x < xs[to])
                return true;
        }
    }
    return false;
}

/* Where most of the parts would be empty, white space is within cells: one edge divides it. */
static void leave_sparse(const struct refining *r, size_t i, bool *divided)
{
    size_t columns = r->grid->table.cells[i].columns, parts = 0, full = 0;

    divided[0] = true;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t c = columns, end = columns; c-- > 0;) {
            bool text;

            if (!divided[c])
                continue;
            text = has_text(r, i, c, end);
            if (pass == 0) {
                parts++;
                full += text;
                end = c;
            } else if (c > 0 && full * 2 < parts && !text) {
                divided[c] = false;
            } else {
                end = c;
            }
        }
}

/* Which edges inside a cell divide it; false if none does. */
static bool find_divisions(const struct refining *r, size_t i, bool *divided)
{
    const struct cell *cell = &r->grid->table.cells[i];
    bool any = false;

    for (size_t c = 1; c < cell->columns; c++) {
        bool between = false;

        divided[c] = true;
        for (size_t k = 0; k < r->lines[i].n; k++) {
            enum finding finding = check_edge(&r->lines[i].items[k], r->grid->xs[cell->column + c]);

            between = between || finding == EDGE_BETWEEN;
            divided[c] = divided[c] && finding != EDGE_CUTS;
        }
        any = any || (between && divided[c]);
    }
    return any;
}

static void divide_columns(struct refining *r)
{
    struct table *table = &r->grid->table;
    struct cell *cells = ARENA_ARRAY(r->arena, struct cell, table->n_columns * table->n_rows);
    bool *divided = ARENA_ARRAY(r->arena, bool, table->n_columns);
    size_t n = 0;

    for (size_t i = 0; i < table->n_cells; i++) {
        struct cell cell = table->cells[i], part = cell;

        if (cell.columns < 2 || !find_divisions(r, i, divided)) {
            cells[n++] = cell;
            continue;
        }
        leave_sparse(r, i, divided);
        part.columns = 0;
        for (size_t c = 0; c < cell.columns; c++) {
            part.columns++;
            if (c + 1 < cell.columns && !divided[c + 1])
                continue;
            part.right = c + 1 < cell.columns ? (struct border){ 0 } : cell.right;
            cells[n++] = part;
            part.column += part.columns;
            part.columns = 0;
            part.left = (struct border){ 0 };
        }
    }
    table->cells = cells;
    table->n_cells = n;
}

/* Whether a line is a number, an amount, a percentage, or a sign such as "-" for a missing one. */
static bool is_value(const struct line *line)
{
    size_t digits = 0, letters = 0, all = 0;

    for (size_t i = 0; i < line->words.n; i++)
        for (size_t k = 0; k < line->words.items[i]->n_glyphs; k++) {
            uint32_t c = line->words.items[i]->glyphs[k].code;

            digits += c - '0' < 10;
            letters += (c | 0x20) - 'a' < 26 || c >= 0xc0;
            all++;
        }
    if (all > VALUE)
        return false;
    return digits ? letters <= digits && all <= 3 * digits + 3 : letters == 0 && all <= 3;
}

/* What a row's cells show of the records in it. */
struct records {
    float at[MOST]; /* baselines of their parts */
    bool begins[MOST];
    size_t n;
    float size;
};

static size_t find_base(const struct records *records, float base)
{
    for (size_t i = 0; i < records->n; i++)
        if (fabsf(records->at[i] - base) < NEAR * records->size)
            return i;
    return SIZE_MAX;
}

/* Whether the line ended although the next one's first word had room. */
static bool is_broken(const struct line *line, float right)
{
    return line->area.x1 + SPACE * line->size + words_first_width(line + 1) < right - PADDING;
}

static float right_of(const struct refining *r, const struct cell *cell)
{
    return r->grid->xs[cell->column + cell->columns];
}

/* Whether all of a cell is in these rows. */
static bool is_within(const struct cell *cell, const struct band *band)
{
    return cell->row >= band->from && cell->row + cell->rows <= band->to;
}

/* The lines of a column between these rows: those of the cell i, and of cells as wide as it. */
static struct line_list lines_of_column(const struct refining *r, const struct band *band, size_t i)
{
    const struct cell *cells = r->grid->table.cells;
    struct line_list lines = { 0 };

    if (cells[i].rows == band->to - band->from)
        return r->lines[i];
    for (size_t k = r->first[band->from]; k < r->first[band->to]; k++) {
        if (cells[k].column != cells[i].column || cells[k].columns != cells[i].columns ||
            !is_within(&cells[k], band))
            continue;
        for (size_t n = 0; n < r->lines[k].n; n++)
            *ARENA_ADD(r->arena, &lines) = r->lines[k].items[n];
    }
    return lines;
}

static size_t count_broken(const struct line_list *lines, float right)
{
    size_t n = 0;

    for (size_t k = 0; k + 1 < lines->n; k++)
        n += is_broken(&lines->items[k], right);
    return n;
}

static enum evidence check_cell(const struct refining *r, const struct band *band, size_t i)
{
    struct line_list lines = lines_of_column(r, band, i);
    size_t broken = count_broken(&lines, right_of(r, &r->grid->table.cells[i])), values = 0;

    for (size_t k = 0; k < lines.n; k++)
        values += is_value(&lines.items[k]);
    if (values == lines.n && lines.n >= SHORTEST)
        return SHOWS_VALUES;
    return lines.n >= LOOSE && (float) broken >= BROKEN * (float) (lines.n - 1) ? SHOWS_LINES
                                                                                : SHOWS_NOTHING;
}

static void check_cells(struct refining *r, const struct band *band)
{
    for (size_t i = r->first[band->from]; i < r->first[band->to]; i++)
        r->shows[i] = check_cell(r, band, i);
}

static bool add_base(struct records *records, float base, bool begins)
{
    size_t i = find_base(records, base);

    if (i == SIZE_MAX) {
        if (records->n == MOST)
            return false;
        i = records->n++;
        while (i > 0 && records->at[i - 1] > base) {
            records->at[i] = records->at[i - 1];
            records->begins[i] = records->begins[i - 1];
            i--;
        }
        records->at[i] = base;
        records->begins[i] = false;
    }
    records->begins[i] = records->begins[i] || begins;
    return true;
}

/* Whether the lines of all columns share their baselines. Where they do not, each column is a text
 * of its own, and the row has no records. */
static bool has_even_rows(const struct records *records)
{
    for (size_t i = 1; i < records->n; i++)
        if (records->at[i] - records->at[i - 1] < APART * records->size)
            return false;
    return true;
}

/* A line below a drawn one begins a record, if other columns have text next to it. */
static void begin_at_rules(const struct refining *r, const struct band *band,
                           struct records *records)
{
    for (size_t i = r->first[band->from]; i < r->first[band->to]; i++) {
        size_t b = r->grid->table.cells[i].row > band->from && r->lines[i].n
                       ? find_base(records, r->lines[i].items[0].base)
                       : SIZE_MAX;

        if (b != SIZE_MAX)
            records->begins[b] = true;
    }
}

/* All baselines of the rows, and which of them are records' for certain. */
static bool find_bases(const struct refining *r, const struct band *band, struct records *records)
{
    const struct table *table = &r->grid->table;
    size_t values = 0, lines = 0;

    *records = (struct records){ 0 };
    for (size_t i = r->first[band->from]; i < r->first[band->to]; i++) {
        if (!is_within(&table->cells[i], band) || r->lines[i].n == 0)
            continue;
        records->size = fmaxf(records->size, r->lines[i].items[0].size);
        values += r->shows[i] == SHOWS_VALUES;
        lines += r->shows[i] != SHOWS_NOTHING;
    }
    if (values == 0 && lines < 2)
        return false;
    for (size_t i = r->first[band->from]; i < r->first[band->to]; i++) {
        bool begins = r->shows[i] == (values ? SHOWS_VALUES : SHOWS_LINES);

        if (!is_within(&table->cells[i], band) || (r->lines[i].n < 2 && !begins))
            continue;
        for (size_t k = 0; k < r->lines[i].n; k++)
            if (!add_base(records, r->lines[i].items[k].base, begins))
                return false;
    }
    begin_at_rules(r, band, records);
    return records->n > 1 && has_even_rows(records);
}

/* Whether most records have parts in several columns. */
static bool is_covered(const struct refining *r, const struct band *band,
                       const struct records *records)
{
    size_t parts[MOST] = { 0 }, counted[MOST] = { 0 }, begun = 0, covered = 0;

    for (size_t i = r->first[band->from]; i < r->first[band->to]; i++)
        for (size_t k = 0; k < r->lines[i].n && is_within(&r->grid->table.cells[i], band); k++) {
            size_t b = find_base(records, r->lines[i].items[k].base);

            if (b == SIZE_MAX || counted[b] == i + 1)
                continue;
            counted[b] = i + 1; /* by this cell */
            parts[b]++;
        }
    for (size_t b = 0; b < records->n; b++) {
        begun += records->begins[b];
        covered += records->begins[b] && parts[b] > 1;
    }
    return begun > 1 && (float) covered >= COVERED * (float) begun;
}

/* Whether a line that may not begin a record continues in the next one of its cell, or continues
 * the previous one. */
static int goes_with(const struct refining *r, const struct band *band,
                     const struct records *records, size_t b)
{
    for (size_t i = r->first[band->from]; i < r->first[band->to]; i++) {
        const struct line_list *lines = &r->lines[i];
        float right;

        if (!is_within(&r->grid->table.cells[i], band))
            continue;
        right = right_of(r, &r->grid->table.cells[i]);
        for (size_t k = 0; k < lines->n; k++) {
            const struct line *line = &lines->items[k];

            if (find_base(records, line->base) != b)
                continue;
            if (k > 0 && line->base - line[-1].base < LEADING * line->size &&
                !is_broken(line - 1, right))
                return -1;
            if (k + 1 < lines->n && line[1].base - line->base < LEADING * line->size &&
                !is_broken(line, right))
                return 1;
        }
    }
    return 0;
}

/* Marks the baselines that begin records; their number. */
static size_t group(const struct refining *r, const struct band *band, struct records *records)
{
    bool first[MOST];
    size_t n = 0;

    for (size_t b = 0; b < records->n; b++)
        first[b] = true;
    for (size_t b = 0; b < records->n; b++) {
        int with = records->begins[b] ? 0 : goes_with(r, band, records, b);

        if (with < 0)
            first[b] = false;
        else if (with > 0 && b + 1 < records->n)
            first[b + 1] = false;
    }
    first[0] = true;
    for (size_t b = 0; b < records->n; b++) {
        records->begins[b] = first[b];
        n += first[b];
    }
    return n;
}

/* How many records begin above y. */
static size_t count_above(const struct records *records, float y)
{
    size_t n = 0;

    for (size_t b = 0; b < records->n && records->at[b] < y; b++)
        n += records->begins[b];
    return n;
}

/* Where the record ends whose last baseline this is: at a drawn line if there is one. */
static float end_of(const struct refining *r, const struct band *band,
                    const struct records *records, size_t b)
{
    float from = records->at[b] + DESCENT * records->size;
    float to = records->at[b + 1] - ASCENT * records->size;

    for (size_t row = band->from + 1; row < band->to; row++)
        if (r->grid->ys[row] > records->at[b] && r->grid->ys[row] < records->at[b + 1])
            return r->grid->ys[row];
    return (from + to) / 2;
}

/* The edges of the records of these rows, from the upper edge on. */
static void find_edges(const struct refining *r, const struct band *band,
                       const struct records *records, float *ys)
{
    size_t n = 0;

    ys[n++] = r->grid->ys[band->from];
    for (size_t b = 1; records && b < records->n; b++)
        if (records->begins[b])
            ys[n++] = end_of(r, band, records, b - 1);
}

/* Whether a cell belongs to all records of its rows: it has one line, which is on none of their
 * baselines, or rotated text. */
static bool is_level_with(const struct refining *r, size_t i, const struct records *records)
{
    const struct line_list *lines = &r->lines[i];

    return r->rotated[i] || (lines->n == 1 && find_base(records, lines->items[0].base) == SIZE_MAX);
}

static int by_word_place(const void *a, const void *b)
{
    const struct cell *p = a, *q = b;

    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    return p->column < q->column ? -1 : p->column > q->column;
}

/* One cell for each of a row's records. */
static void divide_cell(struct table *table, const struct cell *cell, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        struct cell *part = &table->cells[table->n_cells++];

        *part = *cell;
        part->row += k;
        if (k > 0)
            part->top = (struct border){ 0 };
        if (k + 1 < n)
            part->bottom = (struct border){ 0 };
    }
}

/* How the rows are divided. */
struct plan {
    struct band *bands;       /* of each row */
    struct records **records; /* of each row: those of its band, or NULL */
    size_t *begins;           /* the number of each edge after division */
};

static void divide_rows(struct refining *r, const struct plan *plan)
{
    struct table *table = &r->grid->table;
    const struct cell *cells = table->cells;
    size_t n_rows = plan->begins[table->n_rows], n = table->n_cells;
    float *ys = ARENA_ARRAY(r->arena, float, n_rows + 1);

    for (size_t row = 0; row < table->n_rows; row = plan->bands[row].to)
        find_edges(r, &plan->bands[row], plan->records[row], ys + plan->begins[row]);
    ys[n_rows] = r->grid->ys[table->n_rows];
    table->cells = ARENA_ARRAY(r->arena, struct cell, table->n_columns * n_rows);
    table->n_cells = 0;
    for (size_t i = 0; i < n; i++) {
        struct cell cell = cells[i];
        const struct records *records = plan->records[cell.row];
        size_t parts = plan->begins[cell.row + cell.rows] - plan->begins[cell.row];
        bool whole =
            !records || !is_within(&cell, &plan->bands[cell.row]) || is_level_with(r, i, records);

        if (parts == 0)
            continue;
        cell.row = plan->begins[cell.row];
        cell.rows = whole ? parts : 1;
        divide_cell(table, &cell, whole ? 1 : parts);
    }
    if (table->n_cells)
        qsort(table->cells, table->n_cells, sizeof *table->cells, by_word_place);
    table->n_rows = n_rows;
    r->grid->ys = ys;
    table->heights = ARENA_ARRAY(r->arena, float, n_rows);
    grid_measure(r->grid);
}

/* The rows from this one on that cells over several rows hold together. */
static struct band band_from(const struct refining *r, size_t row)
{
    struct band band = { row, row + 1 };

    for (size_t at = row; at < band.to; at++)
        for (size_t i = r->first[at]; i < r->first[at + 1]; i++) {
            const struct cell *cell = &r->grid->table.cells[i];

            if (cell->row + cell->rows > band.to)
                band.to = cell->row + cell->rows;
        }
    return band;
}

/* How many lines of a cell begin records. */
static size_t count_begun(const struct refining *r, size_t i, const struct records *records)
{
    size_t n = 0;

    for (size_t k = 0; k < r->lines[i].n; k++) {
        size_t b = find_base(records, r->lines[i].items[k].base);

        n += b != SIZE_MAX && records->begins[b];
    }
    return n;
}

/* Whether cells over several rows are columns in which no lines are drawn between the records, and
 * not merged cells: their own lines begin the records. */
static bool is_unruled(const struct refining *r, const struct band *band,
                       const struct records *records)
{
    size_t sure = 0, likely = 0, ruled = 0;

    for (size_t i = r->first[band->from]; i < r->first[band->to]; i++) {
        const struct cell *cell = &r->grid->table.cells[i];
        size_t n = r->lines[i].n;

        ruled += cell->rows == 1 && cell->row == band->from;
        if (cell->rows == 1 || n < 2 || (float) count_begun(r, i, records) < ON_RECORDS * (float) n)
            continue;
        sure += r->shows[i] != SHOWS_NOTHING;
        likely += count_broken(&r->lines[i], right_of(r, cell)) + 1 == n;
    }
    return sure > 0 || (likely > 0 && likely >= ruled);
}

/* The number of records in these rows; 0 if there is no more than one. */
static size_t find_records(struct refining *r, const struct band *band, struct records *records)
{
    size_t n;

    check_cells(r, band);
    if (!find_bases(r, band, records) || !is_covered(r, band, records))
        return 0;
    n = group(r, band, records);
    return n > 1 && (band->to == band->from + 1 || is_unruled(r, band, records)) ? n : 0;
}

/* Plans rows that stay together or are divided together. */
static void put_plan(const struct refining *r, struct plan *plan, const struct band *band,
                     struct records *records, size_t n)
{
    for (size_t row = band->from; row < band->to; row++) {
        plan->bands[row] = *band;
        plan->records[row] = records;
        plan->begins[row + 1] =
            plan->begins[band->from] +
            (row + 1 == band->to ? n : count_above(records, r->grid->ys[row + 1]));
    }
}

static void plan_band(struct refining *r, struct plan *plan, const struct band *whole)
{
    struct records *records = ARENA_NEW(r->arena, struct records);
    size_t n = find_records(r, whole, records);

    if (n) {
        put_plan(r, plan, whole, records, n);
        return;
    }
    for (size_t row = whole->from; row < whole->to; row++) {
        struct band band = { row, row + 1 };

        n = whole->to > whole->from + 1 ? find_records(r, &band, records) : 0;
        put_plan(r, plan, &band, n ? records : NULL, n ? n : 1);
        if (n)
            records = ARENA_NEW(r->arena, struct records);
    }
}

void refine_grid(struct arena *arena, const struct page_content *content, struct word *words,
                 size_t n, struct grid *grid)
{
    struct refining r = { .arena = arena, .content = content, .grid = grid };
    size_t n_rows = grid->table.n_rows;
    struct plan plan = { ARENA_ARRAY(arena, struct band, n_rows),
                         ARENA_ARRAY(arena, struct records *, n_rows),
                         ARENA_ARRAY(arena, size_t, n_rows + 1) };
    bool divided = false;

    collect_words(&r, words, n);
    divide_columns(&r);
    collect_words(&r, words, n);
    r.shows = ARENA_ARRAY(arena, enum evidence, grid->table.n_cells);
    for (size_t row = 0; row < n_rows;) {
        struct band band = band_from(&r, row);

        plan_band(&r, &plan, &band);
        row = band.to;
    }
    for (size_t row = 0; row < n_rows; row++)
        divided = divided || plan.records[row];
    if (divided)
        divide_rows(&r, &plan);
}
