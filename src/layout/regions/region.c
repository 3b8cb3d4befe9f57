#include "layout/regions/region.h"

#include <math.h>
#include <string.h>

#include "layout/regions/drawn.h"
#include "layout/regions/note_line.h"
#include "layout/regions/table_break.h"
#include "layout/regions/table_top.h"

#define FAR      3.3F /* font sizes: between baselines of rows that follow each other */
#define RULED    6.0F /* the same, if a rule is between them */
#define LEADING  1.5F /* font sizes: between lines of one cell, at most */
#define CLOSED   2.0F /* font sizes: from a baseline to the rule below that ends a table, at most */
#define HEADS    8    /* rows above the first one of a region that are tried as heads */
#define PENDING  3    /* rows one after the other that cross the columns, at most */
#define WRAPPED  7    /* rows one after the other that are in one column, at most */
#define ENCLOSED 60   /* the same between rules */
#define COVERS   0.6F /* of a region's width: what a rule of all of it covers, at least */
#define CENTERED 3.0F /* points: between the middle of a head and that of the columns it spans */
#define LONG     25   /* characters of a line of running text in a column, as a mean */
#define FULL     0.7F /* of a column's width: what most lines of running text take, at least */
#define COVERED  0.75F /* of a region's area: what its words take, with their leading, at most */
#define PITCH    1.15F /* font sizes: a line with its leading */
#define CROWDED  0.88F /* the same, if it is ruled */
#define PROSE    50    /* characters of a segment that is text, at least */
#define AXIS     0.4F  /* of the rows: those with one value alone, at most */
#define ITEMS    3     /* of a list in a column, at least */
#define SEEDS    6     /* rows of a region that others are grown from */
#define WORK     ((size_t) 20000) /* rows that are tried, over all regions of a page */

/* Bits. */
#define PLACE   8.0F  /* a place across the page, to 1/256 of its width */
#define ALIGNED 1.0F  /* a cell where its column says */
#define EMPTY   1.0F  /* a cell with nothing in it */
#define COLUMN  10.0F /* a column: the place it is aligned at, and how */
#define SPAN    10.0F /* a cell over several columns */
#define SHARED  16.0F /* a second segment in a cell, which no table would put apart */
#define HEAD    4.0F  /* a head in the middle of several columns */
#define RULE    8.0F  /* a drawn line that a table explains */
#define RECORD  8.0F  /* heads that are aligned with their values */
#define LEAST   8.0F  /* what a table saves, at least */
#define BINS    1024

static float base_of(const struct search *search, size_t row)
{
    return search->rows.items[row].line.base;
}

static float left_of(const struct region *region)
{
    return region->strips.items[0].x0;
}

static float right_of(const struct region *region)
{
    return region->strips.items[region->strips.n - 1].x1;
}

const struct rule *region_rule(const struct search *search, const struct region *region, float y0,
                               float y1)
{
    float width = right_of(region) - left_of(region);

    for (size_t i = 0; i < search->rules.n; i++) {
        const struct rule *rule = &search->rules.items[i];
        float shared = fminf(rule->to, right_of(region)) - fmaxf(rule->from, left_of(region));

        if (rule->across && rule->width > 0 && rule->at > y0 && rule->at < y1 &&
            shared > COVERS * width)
            return rule;
    }
    return NULL;
}

/* Whether a row is near enough to the one above it to be of the same table. */
static bool follows(const struct search *search, const struct region *region, size_t above,
                    size_t below)
{
    float from = base_of(search, above), to = base_of(search, below);
    float size = fmaxf(search->rows.items[above].line.size, search->rows.items[below].line.size);

    if (to - from <= FAR * size)
        return true;
    return to - from <= RULED * size && region_rule(search, region, from, to - 0.5F * size);
}

static size_t count_chars(const struct row *row, size_t i)
{
    const struct segment *segment = &row->segments[i];
    size_t n = segment->n - 1;

    for (size_t k = segment->from; k < segment->from + segment->n; k++)
        n += row->line.words.items[k]->n_glyphs;
    return n;
}

static bool begins_with(const struct word *word, const char *text)
{
    size_t i = 0;

    while (text[i] && i < word->n_glyphs && word->glyphs[i].code == (unsigned char) text[i])
        i++;
    return !text[i];
}

/* "Table 3", "Fig. 2": what is above or below a table. */
static bool is_caption_row(const struct row *row)
{
    static const char *const names[] = { "Tab", "TAB", "Fig", "FIG", "Abb", "Source", "Note" };
    const struct word *word = row->line.words.items[0];
    const struct word *next = row->line.words.n > 1 ? row->line.words.items[1] : word;
    bool numbered = next->glyphs->code - '0' < 10;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins_with(word, names[i]) && (numbered || i > 4))
            return true;
    return false;
}

/* Whether some row of the region has a cell in each of two strips: then they are two columns. */
static bool are_both(const struct search *search, const struct region *region, size_t a, size_t b)
{
    for (size_t r = region->from; r < region->to; r++) {
        const struct row *row = &search->rows.items[r];
        bool in_a = false, in_b = false;

        for (size_t i = 0; i < row->n; i++) {
            float x = (row->segments[i].x0 + row->segments[i].x1) / 2;

            in_a = in_a || (x >= region->strips.items[a].x0 && x <= region->strips.items[a].x1);
            in_b = in_b || (x >= region->strips.items[b].x0 && x <= region->strips.items[b].x1);
        }
        if (in_a && in_b)
            return true;
    }
    return false;
}

/* Strips that a cell covers and that no row has cells in side by side are one column. */
static void join_strips(const struct search *search, const struct region *region,
                        struct strips *strips, const struct row *row)
{
    for (size_t i = row->n; i-- > 0;) {
        const struct segment *segment = &row->segments[i];

        if (segment->first == SIZE_MAX || strips->n != region->strips.n)
            continue;
        for (size_t a = segment->last; a > segment->first; a--) {
            struct strip *strip = &strips->items[a - 1];

            if (are_both(search, region, a - 1, a))
                continue;
            strip->x1 = fmaxf(strip->x1, strip[1].x1);
            strip->cells += strip[1].cells;
            memmove(strip + 1, strip + 2, (strips->n - a - 1) * sizeof *strip);
            strips->n--;
        }
    }
}

enum row_fit { ROW_FITS, ROW_WRAPPED, ROW_CROSSES, ROW_STOPS };

static enum row_fit check_row(const struct row *row, const struct fitting *fitting, float width)
{
    size_t bad = fitting->spans + fitting->shared;

    if (is_caption_row(row))
        return ROW_STOPS;
    if (row->n > 1)
        return fitting->cells >= 2 && bad * 2 <= fitting->cells ? ROW_FITS : ROW_CROSSES;
    if (fitting->spans || fitting->added)
        return row->segments->x1 - row->segments->x0 > width && count_chars(row, 0) > PROSE
                   ? ROW_STOPS
                   : ROW_CROSSES;
    return ROW_WRAPPED;
}

/* Tries a row against the region's strips, which are not changed; *strips: what they become with
 * it. */
static enum row_fit try_row(const struct search *search, const struct region *region, size_t at,
                            struct strips *strips)
{
    struct row *row = &search->rows.items[at];
    struct fitting fitting;
    struct strips joined = region->strips;

    *strips = region->strips;
    if (!strips_fit(strips, row, false, &fitting))
        return ROW_STOPS;
    if (fitting.spans && row->n > 1) {
        join_strips(search, region, &joined, row);
        *strips = joined;
    }
    if (!strips_fit(strips, row, true, &fitting))
        return ROW_STOPS;
    if (row->n > 1 &&
        note_line_is(row, &search->rows.items[region->from], at - region->from, fitting.added > 0))
        return ROW_STOPS;
    return check_row(row, &fitting, right_of(region) - left_of(region));
}

/* Whether the last n rows up to one are between rules: a rule is above the row before them, as
 * above other rows of the region, and none is between them. */
static bool is_enclosed(const struct search *search, const struct region *region, size_t at,
                        size_t n)
{
    float size = search->rows.items[at].line.size, above = base_of(search, at - n);

    return region_rule(search, region, above - RULED * size, above - 0.4F * size) &&
           !region_rule(search, region, above, base_of(search, at) - 0.4F * size);
}

/* Takes in the rows below while they fit, with what is between them. */
static void extend_down(const struct search *search, struct region *region)
{
    size_t crossing = 0, wrapped = 0;
    struct strips more;

    for (size_t i = region->to; i < search->rows.n; i++) {
        if (search->rows.items[i].used || !follows(search, region, i - 1, i) ||
            table_break_is(search, region, i))
            break;
        switch (try_row(search, region, i, &more)) {
        case ROW_FITS:
            region->strips = more;
            region->to = i + 1;
            crossing = wrapped = 0;
            continue;
        case ROW_WRAPPED:
            wrapped++;
            break;
        case ROW_CROSSES:
            crossing++;
            break;
        case ROW_STOPS:
            return;
        }
        if (crossing > PENDING || wrapped > ENCLOSED ||
            (wrapped > WRAPPED && !is_enclosed(search, region, i, wrapped)))
            return;
    }
}

/* Whether a rule right below a row ends the table, which has other rules. */
static bool is_closed(const struct search *search, const struct region *region, size_t at)
{
    const struct row *row = &search->rows.items[at];
    float base = row->line.base;

    return region_rule(search, region, base, base + CLOSED * row->line.size) &&
           region_rule(search, region, base_of(search, region->from) - 3 * row->line.size,
                       base_of(search, region->to - 1));
}

/* Lines below the last row that go on in its cells: of one column, as near as lines of a cell; what
 * is below the first column can be a note, unless a rule below it ends the table. */
static void extend_end(const struct search *search, struct region *region)
{
    struct strips more;
    size_t to = region->to;
    bool note = false;

    for (size_t i = region->to; i < search->rows.n && i < region->to + ENCLOSED; i++) {
        const struct row *row = &search->rows.items[i];
        float pitch = base_of(search, i) - base_of(search, i - 1);
        enum row_fit fit;

        if (row->used || pitch > LEADING * row->line.size ||
            region_rule(search, region, base_of(search, i - 1),
                        row->line.base - 0.3F * row->line.size))
            break;
        fit = try_row(search, region, i, &more);
        if (fit != ROW_WRAPPED)
            break;
        note = note || row->segments->first == 0;
        if (!note || is_closed(search, region, i))
            to = i + 1;
    }
    region->to = to;
}

static float middle_of(const struct strips *strips, size_t first, size_t last)
{
    return (strips->items[first].x0 + strips->items[last].x1) / 2;
}

/* Whether each segment of a row is above columns of the region: in one, or centred above
 * several. */
static bool stands_over(const struct region *region, const struct row *row)
{
    const struct strips *strips = &region->strips;
    float slack = 0.5F * row->line.size;

    for (size_t i = 0; i < row->n; i++) {
        const struct segment *segment = &row->segments[i];
        bool found = false;

        if (segment->x0 < left_of(region) - slack || segment->x1 > right_of(region) + slack)
            found = segment->x0 >= left_of(region) - 3 * slack &&
                    segment->x1 <= right_of(region) + 8 * slack && row->n > 1;
        else if (row->n > 1)
            found = true;
        for (size_t a = 0; a < strips->n && !found; a++) {
            found = segment->x0 > strips->items[a].x0 - slack &&
                    segment->x1 < strips->items[a].x1 + slack && (a > 0 || row->n > 1);
            for (size_t b = a + 1; b < strips->n && a > 0 && !found; b++)
                found = fabsf((segment->x0 + segment->x1) / 2 - middle_of(strips, a, b)) < CENTERED;
        }
        if (!found)
            return false;
    }
    return true;
}

/* Whether a row is one segment in the middle of several columns: a head that spans them. */
static bool is_spanning(const struct region *region, const struct row *row)
{
    const struct strips *strips = &region->strips;
    float middle = (row->segments->x0 + row->segments->x1) / 2;

    for (size_t a = 1; row->n == 1 && a < strips->n; a++)
        for (size_t b = a + 1; b < strips->n; b++)
            if (fabsf(middle - middle_of(strips, a, b)) < CENTERED &&
                row->segments->x0 > strips->items[a - 1].x0 + CENTERED)
                return true;
    return false;
}

/* Takes in heads above: rows whose segments stand over the columns, up to the topmost rule. */
static void extend_up(const struct search *search, struct region *region)
{
    size_t seed = region->from;

    while (region->from > 0 && seed - region->from < HEADS) {
        const struct row *row = &search->rows.items[region->from - 1];
        float size = row->line.size, base = row->line.base, below = base_of(search, region->from);
        const struct rule *rule;

        if (row->used || is_caption_row(row) ||
            !follows(search, region, region->from - 1, region->from))
            break;
        rule = region_rule(search, region, base, below - 0.4F * size);
        /* The name of a table is above its topmost rule. */
        if (rule && !region_rule(search, region, base - 3 * size, base - 0.3F * size) && row->n < 2)
            break;
        if (!rule && row->n < 2 && below - base > LEADING * size && !is_spanning(region, row))
            break;
        if (row->n < 2 && table_top_is_above_bar(search, region, base, below))
            break;
        if (!stands_over(region, row) || (row->n > 1 && row->led))
            break;
        region->from--;
    }
}

static float edge_of(const struct segment *segment, enum region_edge edge)
{
    return edge == EDGE_LEFT     ? segment->x0
           : edge == EDGE_RIGHT  ? segment->x1
           : edge == EDGE_MIDDLE ? (segment->x0 + segment->x1) / 2
                                 : segment->point;
}

/* How many cells of a column are where most of them are, by one edge of them. */
static size_t count_aligned(const struct search *search, const struct region *region, size_t column,
                            enum region_edge edge)
{
    unsigned short bins[BINS + 1] = { 0 };
    size_t most = 0;

    for (size_t r = region->from; r < region->to; r++) {
        const struct row *row = &search->rows.items[r];

        for (size_t i = 0; i < row->n; i++) {
            float x = edge_of(&row->segments[i], edge);

            if (row->segments[i].first != column || row->segments[i].last != column || isnan(x) ||
                x < 0 || x >= BINS)
                continue;
            bins[(size_t) x]++;
        }
    }
    for (size_t i = 0; i < BINS; i++)
        if ((size_t) bins[i] + bins[i + 1] > most)
            most = (size_t) bins[i] + bins[i + 1];
    return most;
}

enum region_edge region_aligned(const struct search *search, const struct region *region,
                                size_t column)
{
    enum region_edge best = EDGE_LEFT;
    size_t most = 0;

    for (enum region_edge edge = 0; edge < EDGES; edge++) {
        size_t n = count_aligned(search, region, column, edge);

        if (n > most) {
            most = n;
            best = edge;
        }
    }
    return best;
}

/* Bits of a row as text: each gap is to a place of its own, as its beginning is, if nothing above
 * begins there. */
static float row_as_text(const struct search *search, const struct region *region, size_t at)
{
    const struct row *row = &search->rows.items[at];
    const struct row *above = at > region->from ? row - 1 : NULL;
    float bits = PLACE * (float) (row->n - 1);

    return bits + (above && fabsf(above->line.area.x0 - row->line.area.x0) > 1.5F ? PLACE : 1);
}

/* Bits of all rows as a table. */
static float as_table(const struct search *search, const struct region *region)
{
    size_t cells[STRIPS_MOST] = { 0 };
    float bits = COLUMN * (float) region->strips.n;

    for (size_t r = region->from; r < region->to; r++) {
        const struct row *row = &search->rows.items[r];
        size_t before = SIZE_MAX - 1, full = 0;

        for (size_t i = 0; i < row->n; i++) {
            const struct segment *segment = &row->segments[i];

            if (segment->first != SIZE_MAX && segment->first == before) {
                bits += SHARED;
            } else if (segment->first == SIZE_MAX || segment->last > segment->first) {
                bits += r < region->head ? HEAD : SPAN;
                full += segment->first == SIZE_MAX ? 0 : segment->last - segment->first + 1;
            } else {
                cells[segment->first]++;
                full++;
            }
            before = segment->last;
        }
        bits +=
            full < region->strips.n && row->n > 1 ? EMPTY * (float) (region->strips.n - full) : 1;
    }
    for (size_t c = 0; c < region->strips.n; c++) {
        size_t aligned = 0;

        for (enum region_edge edge = 0; edge < EDGES; edge++) {
            size_t n = count_aligned(search, region, c, edge);

            aligned = n > aligned ? n : aligned;
        }
        aligned = aligned < cells[c] ? aligned : cells[c];
        bits += ALIGNED * (float) aligned + PLACE * (float) (cells[c] - aligned);
    }
    return bits;
}

static float gain_of(const struct search *search, struct region *region)
{
    float text = 0, rules = 0, last = -INFINITY;
    float y0 = base_of(search, region->from) - 3 * search->rows.items[region->from].line.size;
    float y1 = base_of(search, region->to - 1) + 2 * search->rows.items[region->to - 1].line.size;
    struct fitting fitting;

    for (size_t r = region->from; r < region->to; r++)
        strips_fit(&region->strips, &search->rows.items[r], false, &fitting);
    for (size_t r = region->from; r < region->to; r++)
        text += row_as_text(search, region, r);
    for (float y = y0; y < y1 && rules < 40 * RULE;) {
        const struct rule *rule = region_rule(search, region, fmaxf(y, last + 2), y1);

        if (!rule)
            break;
        rules += RULE;
        last = y = rule->at;
    }
    return text + rules - as_table(search, region) +
           (table_break_is_record(search, region) ? RECORD : 0);
}

static const struct segment *in_strip(const struct row *row, size_t column)
{
    for (size_t i = 0; i < row->n; i++)
        if (row->segments[i].first == column && row->segments[i].last == column)
            return &row->segments[i];
    return NULL;
}

/* What a row has in one column, from the first to the last of its segments there. */
struct part {
    float x0, x1;
    size_t chars;
};

static struct part part_of(const struct row *row, size_t column)
{
    struct part part = { .x0 = INFINITY, .x1 = -INFINITY };

    for (size_t i = 0; i < row->n; i++) {
        if (row->segments[i].first != column || row->segments[i].last != column)
            continue;
        part.x0 = fminf(part.x0, row->segments[i].x0);
        part.x1 = fmaxf(part.x1, row->segments[i].x1);
        part.chars += count_chars(row, i);
    }
    return part;
}

/* Whether a column is running text: long lines that follow each other and fill most of its width.
 */
static bool is_prose(const struct search *search, const struct region *region, size_t column)
{
    const struct strip *strip = &region->strips.items[column];
    size_t lines = 0, followed = 0, full = 0, chars = 0;
    float last = -INFINITY;

    for (size_t r = region->from; r < region->to; r++) {
        const struct row *row = &search->rows.items[r];
        struct part part = part_of(row, column);

        if (part.chars == 0)
            continue;
        lines++;
        chars += part.chars;
        followed += row->line.base - last < LEADING * row->line.size;
        full += part.x1 - part.x0 > FULL * (strip->x1 - strip->x0);
        last = row->line.base;
    }
    return lines >= 3 && chars >= LONG * lines && followed * 5 >= lines * 3 && full * 2 >= lines;
}

/* Whether a column is a list, next to which other columns of the page are. */
static bool is_list(const struct search *search, const struct region *region, size_t column)
{
    size_t cells = 0, items = 0;

    for (size_t r = region->from; r < region->to; r++) {
        const struct segment *segment = in_strip(&search->rows.items[r], column);

        cells += segment != NULL;
        items += segment && segment->item;
    }
    return items >= ITEMS && items * 2 > cells;
}

static bool has_list(const struct search *search, const struct region *region)
{
    for (size_t c = 0; c < region->strips.n; c++)
        if (is_list(search, region, c))
            return true;
    return false;
}

static size_t count_prose(const struct search *search, const struct region *region)
{
    size_t columns = 0;

    for (size_t c = 0; c < region->strips.n; c++)
        columns += is_prose(search, region, c);
    return columns;
}

/* What is in two columns alone is a table only if the second one has values, which are no numbers
 * of pages, or if there are rules. */
static bool is_pair(const struct search *search, const struct region *region)
{
    size_t rows = 0, values = 0, labels = 0, led = 0;
    float last = search->rows.items[region->to - 1].line.base;

    for (size_t r = region->from; r < region->to; r++) {
        const struct row *row = &search->rows.items[r];
        const struct segment *left = in_strip(row, 0), *right = in_strip(row, 1);

        led += row->led;
        if (!left || !right)
            continue;
        rows++;
        values += right->value;
        labels += count_chars(row, (size_t) (left - row->segments)) <= 3;
    }
    if (labels * 2 > rows || led * 2 > rows || rows < 3)
        return false;
    return values * 10 >= rows * 7 &&
           region_rule(search, region, base_of(search, region->from) - 30, last + 30) != NULL;
}

/* What the rows are like. */
struct look {
    size_t rich, lone, values; /* rows of several segments; of one number alone; values */
    size_t asks;               /* rows that begin with a label: it ends with a colon */
    size_t rules;              /* of the region's width */
    float covered;             /* of the area: what words take, with their leading */
};

static bool is_asking(const struct row *row)
{
    const struct segment *first = &row->segments[0];
    const struct word *last = row->line.words.items[first->from + first->n - 1];

    return last->glyphs[last->n_glyphs - 1].code == ':';
}

static struct look look_at_region(const struct search *search, const struct region *region)
{
    struct look look = { 0 };
    float width = right_of(region) - left_of(region), y = base_of(search, region->from) - 30;
    const struct rule *rule;

    for (size_t r = region->from; r < region->to; r++) {
        const struct row *row = &search->rows.items[r];

        look.rich += row->n > 1;
        look.lone += row->n == 1 && row->segments->value && row->segments->n == 1;
        look.asks += row->n > 1 && is_asking(row);
        for (size_t i = 0; i < row->n; i++) {
            look.values += row->segments[i].value;
            look.covered += (row->segments[i].x1 - row->segments[i].x0) * PITCH * row->line.size;
        }
    }
    look.covered /= width * (base_of(search, region->to - 1) - base_of(search, region->from) +
                             PITCH * search->rows.items[region->from].line.size);
    while ((rule = region_rule(search, region, y + 1, base_of(search, region->to - 1) + 20))) {
        y = rule->at;
        look.rules++;
    }
    return look;
}

/* Names and addresses next to each other, like those of authors: each is centred, and none is a
 * number. */
static bool is_centred(const struct search *search, const struct region *region)
{
    size_t centred = 0;

    for (size_t c = 0; c < region->strips.n; c++)
        centred += region_aligned(search, region, c) == EDGE_MIDDLE;
    return centred * 2 > region->strips.n;
}

/* Whether a segment is the number of a page: of up to four digits or small Roman ones. */
static bool is_page_number(const struct row *row, const struct segment *segment)
{
    const struct word *word = row->line.words.items[segment->from];

    if (segment->n != 1 || word->n_glyphs > 4)
        return false;
    for (size_t i = 0; i < word->n_glyphs; i++) {
        uint32_t c = word->glyphs[i].code;

        if (c - '0' >= 10 && c != 'i' && c != 'v' && c != 'x' && c != 'l')
            return false;
    }
    return true;
}

/* A table of contents: leaders go from most entries to the page number at the right, and no row has
 * more than a number, a title and a page. Its rows are lines with tabs. A title of several lines
 * has its page after the last one. */
static bool is_contents(const struct search *search, const struct region *region)
{
    size_t entries = 0, led = 0;

    for (size_t r = region->from; r < region->to; r++) {
        const struct row *row = &search->rows.items[r];

        if (row->n < 2)
            continue;
        if (row->n > 3)
            return false;
        entries++;
        led += row->led && is_page_number(row, &row->segments[row->n - 1]);
    }
    return led * 2 > entries;
}

static bool is_table_region(const struct search *search, const struct region *region)
{
    struct look look;

    if (region->gain < LEAST || region->strips.n < 2)
        return false;
    look = look_at_region(search, region);
    /* Values that stand alone in their rows are those of an axis. */
    if (look.rich < 2 || (float) look.lone >= AXIS * (float) (region->to - region->from))
        return false;
    if (look.rules < 2 && (has_list(search, region) || is_contents(search, region)))
        return false;
    if (region->strips.n == 2)
        return is_pair(search, region);
    if (look.asks * 2 > look.rich || look.covered > (look.rules < 2 ? COVERED : CROWDED) ||
        (look.rules < 2 && look.values == 0 && is_centred(search, region)))
        return false;
    return count_prose(search, region) < (look.rules > 1 ? 3 : 2);
}

/* Whether the rows are labels of a drawing. */
static bool is_chart(const struct search *search, const struct region *region)
{
    const struct row *rows = &search->rows.items[region->from];
    size_t n = region->to - region->from;
    struct area area = rows[0].line.area;

    for (size_t r = 1; r < n; r++)
        area_join(&area, &rows[r].line.area);
    return drawn_is_chart(search->content, &area, rows, n);
}

/* The region that grows from a row; false: none. */
static bool grow_region(const struct search *search, size_t seed, struct region *region)
{
    struct fitting fitting;

    *region = (struct region){ .from = seed, .to = seed + 1 };
    if (!strips_fit(&region->strips, &search->rows.items[seed], true, &fitting))
        return false;
    extend_down(search, region);
    if (region->to - region->from < 2)
        return false;
    extend_end(search, region);
    region->head = seed;
    extend_up(search, region);
    region->gain = gain_of(search, region);
    if (!is_table_region(search, region) || is_chart(search, region))
        return false;
    table_top_drop_titles(search, region, seed);
    region->gain = gain_of(search, region);
    return true;
}

bool region_find(struct search *search, struct region *region)
{
    size_t work = 0, tried = 0;

    region->gain = 0;
    for (size_t i = 0, end = 0; i < search->rows.n && work < WORK; i++) {
        const struct row *row = &search->rows.items[i];
        struct region now;

        /* A later row is the beginning of the columns if those before it are heads. */
        if (row->used || row->n < 2 || (i < end && tried >= SEEDS))
            continue;
        tried = i < end ? tried + 1 : 0;
        if (grow_region(search, i, &now) && now.gain > region->gain)
            *region = now;
        work += now.to - now.from;
        end = now.to > end ? now.to : end;
    }
    if (region->gain <= 0)
        return false;
    for (size_t r = region->from; r < region->to; r++) {
        struct fitting fitting;

        strips_fit(&region->strips, &search->rows.items[r], false, &fitting);
    }
    return true;
}

float region_split(const struct search *search, const struct region *region)
{
    float y0 = base_of(search, region->from) - 3 * search->rows.items[region->from].line.size;
    float y1 = base_of(search, region->to - 1) + search->rows.items[region->to - 1].line.size;

    for (size_t c = 2; c + 2 <= region->strips.n; c++) {
        float from = region->strips.items[c - 1].x1, to = region->strips.items[c].x0;
        float x = (from + to) / 2;
        size_t left = 0, right = 0, across = 0;

        for (size_t i = 0; i < search->rules.n; i++) {
            const struct rule *rule = &search->rules.items[i];

            if (!rule->across || rule->width <= 0 || rule->at < y0 || rule->at > y1)
                continue;
            across += rule->from < x && rule->to > x;
            left += rule->to <= x && rule->from < region->strips.items[1].x0 &&
                    rule->to > region->strips.items[c - 1].x0;
            right += rule->from >= x && rule->from < region->strips.items[c + 1].x0 &&
                     rule->to > region->strips.items[region->strips.n - 1].x0;
        }
        if (across == 0 && left >= 2 && right >= 2)
            return x;
    }
    return NAN;
}
