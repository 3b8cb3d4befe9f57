#include "layout/tables/records.h"

#include <math.h>
#include <string.h>

#include "layout/tables/table_style.h"

#define LEADING  1.5F  /* font sizes: between lines of one cell, at most */
#define TIGHTER  0.92F /* of the distance between rows: what lines of one cell are nearer than */
#define HEADS    ((size_t) 6) /* lines of heads, at most */
#define NEAR     1.1F /* font sizes: from a head to the rule that says what it spans, at most */
#define CENTERED 4.0F /* points: between the middle of a head and that of the columns it spans */
#define FILLED                                                                                     \
    0.6F              /* of a column's width: what a line takes that goes on in the next, at least \
                       */
#define PARTIAL 1.12F /* a largest gap between lines is larger than the others by that factor */

struct making {
    const struct search *search;
    const struct region *region;
    struct row *rows; /* of the region */
    size_t n, body;   /* body: the first one that is not a head */
    size_t n_columns;
    bool *starts;   /* a row of the table begins */
    float pitch;    /* between rows of the table, where that is certain; or 0 */
    size_t *places; /* number of the row of the table for each row of text */
};

static const struct segment *in_column(const struct row *row, size_t column)
{
    for (size_t i = 0; i < row->n; i++)
        if (row->segments[i].first <= column && row->segments[i].last >= column &&
            row->segments[i].first != SIZE_MAX)
            return &row->segments[i];
    return NULL;
}

static float distance(const struct making *m, size_t row)
{
    return m->rows[row].line.base - m->rows[row - 1].line.base;
}

/* A rule of the region's width above the row, below the one before it. */
static bool is_ruled(const struct making *m, size_t row)
{
    const struct row *now = &m->rows[row];

    return region_rule(m->search, m->region, m->rows[row - 1].line.base,
                       now->line.base - 0.4F * now->line.size) != NULL;
}

static bool has_values(const struct row *row)
{
    for (size_t i = 0; i < row->n; i++)
        if (row->segments[i].first > 0 && row->segments[i].value)
            return true;
    return false;
}

/* A row of one segment in the first column, or from it on. */
static bool is_section(const struct row *row)
{
    return row->n == 1 && row->segments->first == 0 && row[-1].n > 1;
}

/* The body begins below the first rule; without rules, with the first row that has values, if most
 * have some, or after the rows above which others were found to be heads, or bold ones. */
static size_t find_body(const struct making *m)
{
    size_t head = m->region->head - m->region->from, values = 0, n = 0;

    for (size_t r = 1; r < m->n && r <= HEADS && r * 2 <= m->n + 2; r++)
        if (is_ruled(m, r))
            return r;
    for (size_t r = 0; r < m->n; r++)
        values += has_values(&m->rows[r]);
    if (values * 2 > m->n)
        while (n < m->n && n < HEADS && !has_values(&m->rows[n]) &&
               (n == 0 || !is_section(&m->rows[n])))
            n++;
    else if (m->rows[0].line.bold)
        while (n < m->n && n < HEADS && m->rows[n].line.bold)
            n++;
    n = n == m->n || n == HEADS ? 0 : n;
    return n > head ? n : head;
}

/* How many segments the rows [from, to) have in one column. */
static size_t count_in(const struct making *m, size_t column, size_t from, size_t to)
{
    size_t n = 0;

    for (size_t r = from; r < to; r++)
        n += in_column(&m->rows[r], column) != NULL;
    return n;
}

static void join_columns(struct making *m, struct region *region, size_t column)
{
    struct strip *strip = &region->strips.items[column];

    strip->x1 = strip[1].x1;
    strip->cells += strip[1].cells;
    memmove(strip + 1, strip + 2, (region->strips.n - column - 2) * sizeof *strip);
    m->n_columns = --region->strips.n;
    for (size_t r = 0; r < m->n; r++)
        for (size_t i = 0; i < m->rows[r].n; i++) {
            struct segment *segment = &m->rows[r].segments[i];

            segment->first -= segment->first != SIZE_MAX && segment->first > column;
            segment->last -= segment->last != SIZE_MAX && segment->last > column;
        }
}

/* A head that ends to the left of short numbers on the right of its column, or the other way round,
 * is in one column with them: nothing else is below it, and they have no other head. */
static void join_heads(struct making *m, struct region *region)
{
    for (size_t c = 0; c + 1 < m->n_columns && m->n_columns > 2; c++) {
        size_t heads = count_in(m, c, 0, m->body), below = count_in(m, c, m->body, m->n);
        size_t next_heads = count_in(m, c + 1, 0, m->body);
        size_t next_below = count_in(m, c + 1, m->body, m->n);

        if ((heads && !below && !next_heads && next_below) ||
            (!heads && below && next_heads && !next_below))
            join_columns(m, region, c);
    }
}

/* Whether the rule is below one segment of the row alone. */
static bool is_below_one(const struct rule *rule, const struct row *row)
{
    size_t n = 0;

    for (size_t i = 0; i < row->n; i++)
        n += row->segments[i].x0 < rule->to && row->segments[i].x1 > rule->from;
    return n == 1;
}

/* The columns a head spans by the rule below it. */
static bool by_rule(const struct making *m, const struct row *row, struct segment *segment)
{
    const struct rule_list *rules = &m->search->rules;

    for (size_t i = 0; i < rules->n; i++) {
        const struct rule *rule = &rules->items[i];
        size_t first = SIZE_MAX, last = 0;

        if (!rule->across || rule->width <= 0 || rule->at < row->line.base ||
            rule->at > row->line.base + NEAR * row->line.size || rule->from > segment->x0 + 2 ||
            rule->to < segment->x1 - 2 || !is_below_one(rule, row))
            continue;
        for (size_t c = 0; c < m->n_columns; c++) {
            const struct strip *strip = &m->region->strips.items[c];
            float middle = (strip->x0 + strip->x1) / 2;

            if (middle < rule->from || middle > rule->to)
                continue;
            first = first == SIZE_MAX ? c : first;
            last = c;
        }
        if (first == SIZE_MAX || last - first + 1 == m->n_columns)
            continue;
        segment->first = first;
        segment->last = last;
        return true;
    }
    return false;
}

static float off_middle(const struct making *m, const struct segment *segment, size_t first,
                        size_t last)
{
    const struct strip *strips = m->region->strips.items;

    return fabsf((strips[first].x0 + strips[last].x1) / 2 - (segment->x0 + segment->x1) / 2);
}

/* Whether a head is aligned with one column. */
static bool is_over_one(const struct making *m, const struct segment *segment)
{
    const struct strip *strip = &m->region->strips.items[segment->first];

    return segment->first == segment->last &&
           (fabsf(segment->x0 - strip->x0) < 2 || fabsf(segment->x1 - strip->x1) < 2 ||
            off_middle(m, segment, segment->first, segment->first) < 2);
}

/* The columns that a head is centred above; only those without another segment of its row. */
static void by_middle(const struct making *m, const struct row *row, size_t at)
{
    struct segment *segment = &row->segments[at];
    const struct segment *before = at > 0 ? segment - 1 : NULL;
    const struct segment *after = at + 1 < row->n ? segment + 1 : NULL;
    /* NOLINTBEGIN(clang-analyzer-core.NullDereference): a row that is looked at has segments. */
    size_t from = before && before->last != SIZE_MAX ? before->last + 1 : at > 0 ? 1 : 0;
    size_t to = after && after->first != SIZE_MAX ? after->first : m->n_columns;
    size_t first = segment->first, last = segment->last;
    /* NOLINTEND(clang-analyzer-core.NullDereference) */
    float least = CENTERED;

    if (first != SIZE_MAX && is_over_one(m, segment))
        return;
    for (size_t a = from; a < to; a++)
        for (size_t b = a + (first == SIZE_MAX); b < to; b++) {
            float off = off_middle(m, segment, a, b);

            if (first != SIZE_MAX && (a > first || b < last))
                continue;
            if (off < least - 0.5F) {
                least = off;
                segment->first = a;
                segment->last = b;
            }
        }
    if (segment->first == SIZE_MAX) { /* in the middle of nothing: the nearest column's */
        size_t nearest = 0;

        for (size_t c = 1; c < m->n_columns; c++)
            if (off_middle(m, segment, c, c) < off_middle(m, segment, nearest, nearest))
                nearest = c;
        segment->first = segment->last = nearest;
    }
}

/* A row with as many segments as there are columns has one in each, even if heads begin where
 * numbers of the column before end. False: it is not such a row. */
static bool is_complete(const struct making *m, const struct row *row)
{
    if (row->n != m->n_columns)
        return false;
    for (size_t i = 0; i < row->n; i++)
        if (row->segments[i].first != SIZE_MAX &&
            (row->segments[i].first > i + 1 || row->segments[i].last + 1 < i))
            return false;
    for (size_t i = 0; i < row->n; i++)
        row->segments[i].first = row->segments[i].last = i;
    return true;
}

static void span_heads(const struct making *m)
{
    for (size_t r = 0; r < m->n; r++) {
        if (is_complete(m, &m->rows[r]))
            continue;
        for (size_t i = 0; i < m->rows[r].n; i++) {
            struct segment *segment = &m->rows[r].segments[i];

            if (r < m->body && m->n_columns > 2) {
                if (!by_rule(m, &m->rows[r], segment))
                    by_middle(m, &m->rows[r], i);
            } else if (segment->first == SIZE_MAX) {
                by_middle(m, &m->rows[r], i);
            }
        }
    }
}

/* Whether a row has several segments below one that spans. */
static bool is_divided_below(const struct making *m, size_t row, size_t above)
{
    for (size_t i = 0; i < m->rows[above].n; i++) {
        const struct segment *segment = &m->rows[above].segments[i];
        size_t below = 0;

        for (size_t k = 0; k < m->rows[row].n; k++)
            below += m->rows[row].segments[k].first >= segment->first &&
                     m->rows[row].segments[k].last <= segment->last;
        if (segment->last > segment->first && below > 1)
            return true;
    }
    return false;
}

/* Lines of heads are one row of the table unless some stand below a head that spans them. */
static void group_heads(struct making *m)
{
    size_t level = 0;

    for (size_t r = 1; r < m->body; r++) {
        bool starts = distance(m, r) > LEADING * m->rows[r].line.size;

        for (size_t above = level; above < r && !starts; above++)
            starts = is_divided_below(m, r, above);
        m->starts[r] = starts;
        level = starts ? r : level;
    }
}

static bool is_lower_first(const struct row *row, const struct segment *segment)
{
    uint32_t c = row->line.words.items[segment->from]->glyphs->code;

    return c - 'a' < 26 || (c >= 0xdf && c <= 0xff) || (c >= 0x430 && c <= 0x45f);
}

static size_t count_cells(const struct row *row)
{
    size_t n = 0;

    for (size_t i = 0; i < row->n; i++)
        n += row->segments[i].first != SIZE_MAX;
    return n;
}

/* Whether the text of a column goes on in the next row: that begins with a small letter, or its
 * first word had no room. */
static bool continues_cell(const struct making *m, size_t row, size_t column)
{
    const struct segment *above = in_column(&m->rows[row - 1], column);
    const struct segment *below = in_column(&m->rows[row], column);
    const struct strip *strip = &m->region->strips.items[column];
    float first;

    if (!above || !below || above->value || below->value ||
        distance(m, row) > LEADING * m->rows[row].line.size)
        return false;
    /* Text longer than the column is not a line of a cell in it, but the name of a section. */
    if (column == 0 && below->x1 > strip->x1 + 2 && count_cells(&m->rows[row - 1]) > 1)
        return false;
    first = area_width(&m->rows[row].line.words.items[below->from]->area);
    if (above->x1 < strip->x0 + FILLED * (strip->x1 - strip->x0))
        return is_lower_first(&m->rows[row], below);
    return is_lower_first(&m->rows[row], below) ||
           above->x1 + 0.25F * m->rows[row].line.size + first > strip->x1 + 2;
}

/* Whether two rows have cells in three columns at least, and one of them does not go on: they are
 * two rows of the table, even if the first column is as narrow as each of its words. */
static bool are_apart(const struct making *m, size_t row)
{
    size_t both = 0, on = 0;

    for (size_t c = 0; c < m->n_columns; c++)
        if (in_column(&m->rows[row - 1], c) && in_column(&m->rows[row], c)) {
            both++;
            on += continues_cell(m, row, c);
        }
    return both >= 3 && on < both;
}

/* The distance from row to row where both begin in the first column and have values or most
 * columns. */
static void find_pitch(struct making *m)
{
    float least = INFINITY;

    for (size_t r = m->body + 1; r < m->n; r++) {
        const struct row *a = &m->rows[r - 1], *b = &m->rows[r];

        if (in_column(a, 0) && in_column(b, 0) && count_cells(a) > 1 && count_cells(b) > 1 &&
            (!continues_cell(m, r, 0) || are_apart(m, r)))
            least = fminf(least, distance(m, r));
    }
    m->pitch = isfinite(least) ? least : 0;
}

/* Whether a row of text can only go on with others: nothing in the first column begins with it. */
static bool is_loose(const struct making *m, size_t row)
{
    const struct row *now = &m->rows[row];
    size_t cells = count_cells(now), values = 0, on = 0;
    bool near;

    if (row == m->body || is_ruled(m, row))
        return row == m->body && !in_column(now, 0) && cells == 1 && row + 1 < m->n;
    near = distance(m, row) < (m->pitch > 0 ? fminf(TIGHTER * m->pitch, LEADING * now->line.size)
                                            : LEADING * now->line.size);
    for (size_t i = 0; i < now->n; i++) {
        values += now->segments[i].value;
        on += now->segments[i].first != SIZE_MAX && continues_cell(m, row, now->segments[i].first);
    }
    if (in_column(now, 0))
        return continues_cell(m, row, 0) && (cells == 1 || (count_cells(now - 1) == 1 && near)) &&
               now->segments[0].first == now->segments[0].last;
    if (cells == 1 && !values)
        return distance(m, row) <= LEADING * now->line.size;
    return near && (cells * 2 < m->n_columns || !values || on == cells);
}

/* Loose rows between two that are certain belong to the one above, but for those after a gap that
 * is larger than the others. */
static void settle_row(struct making *m, size_t above, size_t below)
{
    size_t widest = above + 1;
    float second = 0;

    for (size_t r = above + 2; r <= below; r++)
        if (distance(m, r) > distance(m, widest))
            widest = r;
    for (size_t r = above + 1; r <= below; r++)
        if (r != widest)
            second = fmaxf(second, distance(m, r));
    if (widest == below || distance(m, widest) < PARTIAL * second)
        return;
    m->starts[widest] = true;
    m->starts[below] = false;
}

static void group_body(struct making *m)
{
    size_t above = m->body;
    bool *loose = ARENA_ARRAY(m->search->arena, bool, m->n);

    for (size_t r = m->body; r < m->n; r++) {
        loose[r] = is_loose(m, r);
        m->starts[r] = !loose[r];
    }
    if (m->body < m->n)
        m->starts[m->body] = true;
    if (m->body < m->n && loose[m->body] && m->body + 1 < m->n && !is_ruled(m, m->body + 1))
        m->starts[m->body + 1] = false;
    for (size_t r = m->body + 1; r < m->n; r++) {
        if (loose[r])
            continue;
        if (r > above + 1 && !loose[above] && !is_ruled(m, r))
            settle_row(m, above, r);
        above = r;
    }
}

/* Where the edge between two columns is: no word has its middle on the other side. */
static float find_edge(const struct making *m, size_t column)
{
    const struct strip *strips = m->region->strips.items;
    float low = -INFINITY, high = INFINITY, at;
    enum region_edge left = region_aligned(m->search, m->region, column - 1);
    enum region_edge right = region_aligned(m->search, m->region, column);

    at = table_style_edge(strips[column - 1].x1, strips[column].x0,
                          left == EDGE_RIGHT || left == EDGE_POINT, right == EDGE_LEFT);
    for (size_t r = 0; r < m->n; r++)
        for (size_t i = 0; i < m->rows[r].n; i++) {
            const struct segment *segment = &m->rows[r].segments[i];
            const struct area *first = &m->rows[r].line.words.items[segment->from]->area;
            const struct area *last =
                &m->rows[r].line.words.items[segment->from + segment->n - 1]->area;

            if (segment->last == column - 1)
                low = fmaxf(low, (last->x0 + last->x1) / 2);
            if (segment->first == column)
                high = fminf(high, (first->x0 + first->x1) / 2);
        }
    if (low > high)
        return at;
    return fminf(fmaxf(at, low + 0.1F), high - 0.1F);
}

static void set_edges(const struct making *m, struct grid *grid, size_t n_rows)
{
    const struct strips *strips = &m->region->strips;
    size_t at = 0;

    grid->xs[0] = strips->items[0].x0 - 5.4F;
    for (size_t r = 0; r < m->n; r++) {
        grid->xs[0] = fminf(grid->xs[0], m->rows[r].line.area.x0 - 2);
        grid->xs[strips->n] = fmaxf(r ? grid->xs[strips->n] : strips->items[strips->n - 1].x1 + 6,
                                    m->rows[r].line.area.x1 + 2);
    }
    for (size_t c = 1; c < strips->n; c++)
        grid->xs[c] = fmaxf(find_edge(m, c), grid->xs[c - 1] + 1);
    for (size_t r = 0; r < m->n; r++)
        if (m->starts[r])
            grid->ys[at++] = r == 0 ? m->rows[0].line.area.y0
                                    : (m->rows[r - 1].line.area.y1 + m->rows[r].line.area.y0) / 2;
    grid->ys[n_rows] = m->rows[m->n - 1].line.area.y1;
    for (size_t r = 1; r <= n_rows; r++)
        grid->ys[r] = fmaxf(grid->ys[r], grid->ys[r - 1] + 1);
    grid_measure(grid);
}

/* The cells of a row of the table that segments cover become one. */
static void span_cells(const struct making *m, struct grid *grid)
{
    struct table *table = &grid->table;
    size_t n = 0;

    for (size_t r = 0; r < m->n; r++)
        for (size_t i = 0; i < m->rows[r].n; i++) {
            const struct segment *segment = &m->rows[r].segments[i];
            struct cell *cells = &table->cells[m->places[r] * m->n_columns];

            if (segment->first == SIZE_MAX || segment->last == segment->first)
                continue;
            for (size_t c = segment->first; c <= segment->last; c++)
                if (cells[c].columns != 1)
                    goto next; /* another line of the row was wider */
            cells[segment->first].columns = segment->last - segment->first + 1;
            for (size_t c = segment->first + 1; c <= segment->last; c++)
                cells[c].columns = 0;
        next:;
        }
    for (size_t i = 0; i < table->n_cells; i++)
        if (table->cells[i].columns > 0)
            table->cells[n++] = table->cells[i];
    table->n_cells = n;
}

/* A row that has one segment, over several columns from the first on, is the name of a section. */
static void span_sections(const struct making *m)
{
    for (size_t r = m->body; r < m->n; r++) {
        struct row *row = &m->rows[r];
        bool alone = m->starts[r] && (r + 1 == m->n || m->starts[r + 1]);

        if (alone && row->n == 1 && row->segments->first == 0 && row->segments->last > 0)
            row->segments->last = m->n_columns - 1;
    }
}

void records_make(const struct search *search, struct region *region, struct grid *grid)
{
    struct making m = { .search = search,
                        .region = region,
                        .rows = search->rows.items + region->from,
                        .n = region->to - region->from,
                        .n_columns = region->strips.n };
    size_t n_rows = 0;

    m.starts = ARENA_ARRAY(search->arena, bool, m.n);
    m.places = ARENA_ARRAY(search->arena, size_t, m.n);
    m.body = find_body(&m);
    join_heads(&m, region);
    span_heads(&m);
    group_heads(&m);
    find_pitch(&m);
    group_body(&m);
    m.starts[0] = true;
    span_sections(&m);
    for (size_t r = 0; r < m.n; r++) {
        n_rows += m.starts[r];
        m.places[r] = n_rows - 1;
    }
    grid_even(search->arena, grid, m.n_columns, n_rows);
    set_edges(&m, grid, n_rows);
    span_cells(&m, grid);
}
