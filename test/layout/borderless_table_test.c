/* Tables whose columns are not ruled, and what is no table. */
#include "tap.h"
#include "written.h"

static const struct table *table_of(const struct test_page *t)
{
    static const struct table none;

    for (size_t k = 0; k < t->page.n_sections; k++)
        for (size_t i = 0; i < t->page.sections[k].blocks.n; i++)
            if (t->page.sections[k].blocks.items[i].kind == BLOCK_TABLE)
                return &t->page.sections[k].blocks.items[i].table;
    return &none;
}

static const struct cell *cell_at(const struct test_page *t, size_t row, size_t column)
{
    static const struct cell none;
    const struct table *table = table_of(t);

    for (size_t i = 0; i < table->n_cells; i++)
        if (table->cells[i].row == row && table->cells[i].column == column)
            return &table->cells[i];
    return &none;
}

static const char *text_at(const struct test_page *t, size_t row, size_t column)
{
    const struct cell *cell = cell_at(t, row, column);

    return cell->n_blocks ? text_of(&cell->blocks[0]) : "";
}

/* Rows of a name and two numbers that end at 300 and at 400. */
static void put_rows(struct test_page *t, float base, float pitch, size_t n)
{
    static const char *const rows[][3] = { { "Hill", "12.5", "7.0" },
                                           { "Dale", "8.0", "19.5" },
                                           { "Moor", "103.5", "2.0" },
                                           { "Fen", "1.0", "44.5" },
                                           { "Heath", "55.5", "6.5" } };

    for (size_t i = 0; i < n; i++) {
        put(t, 105, base + pitch * (float) i, rows[i][0]);
        for (size_t k = 1; k < 3; k++)
            put(t, (k == 1 ? 300 : 400) - 5 * (float) strlen(rows[i][k]), base + pitch * (float) i,
                rows[i][k]);
    }
}

static void spans_heads(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 327, 100, "1999");
    put(&t, 105, 116, "Land"), put(&t, 275, 116, "Births"), put(&t, 370, 116, "Deaths");
    rule(&t, 262, 104, 402, 104);
    put_rows(&t, 132, 16, 5);
    ok(understand(&t), "a table without lines between its columns is understood");
    is_int((int) table_of(&t)->n_columns, 3,
           "a table without lines has the columns of its numbers");
    is_int((int) table_of(&t)->n_rows, 7, "a table without lines has a row for each line of text");
    is_int((int) cell_at(&t, 0, 1)->columns, 2,
           "a header cell spans the columns that the rule below it covers");
    is_str(text_at(&t, 1, 2), "Deaths", "the headers below a spanning one have a cell each");
    is_str(text_at(&t, 4, 1), "103.5", "the numbers of a table without lines have a cell each");
    is_int((int) cell_at(&t, 4, 1)->blocks[0].paragraph.align, ALIGN_RIGHT,
           "numbers that end at one place are aligned on the right");
    end(&t);
}

static void keeps_lines_of_cells(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 105, 100, "Place"), put(&t, 200, 100, "What it is"), put(&t, 370, 100, "Visits");
    rule(&t, 100, 104, 410, 104);
    put(&t, 105, 120, "Hill"), put(&t, 200, 120, "a tower of"), put(&t, 385, 120, "125");
    put(&t, 200, 131, "old stone");
    put(&t, 105, 150, "Dale"), put(&t, 200, 150, "a mill"), put(&t, 390, 150, "19");
    put(&t, 105, 169, "Moor"), put(&t, 200, 169, "a long wall"), put(&t, 385, 169, "301");
    put(&t, 200, 180, "that fell");
    ok(understand(&t), "a table with cells of several lines is understood");
    is_int((int) table_of(&t)->n_rows, 4,
           "a line that is closer than rows belongs to the row above it");
    is_str(text_at(&t, 2, 0), "Dale", "a line that belongs to the row above begins no row");
    end(&t);
}

/* Rows between rules, of which the last has a second line; `to`: a rule is drawn below it. */
static void put_ruled(struct test_page *t, bool to)
{
    begin(t);
    put(t, 105, 100, "Land"), put(t, 275, 100, "Births"), put(t, 370, 100, "Deaths");
    put_rows(t, 120, 20, 5);
    for (int i = 0; i < 6; i++)
        rule(t, 100, 86 + 20 * (float) i, 402, 86 + 20 * (float) i);
    put(t, 105, 212, "upper");
    if (to)
        rule(t, 100, 218, 402, 218);
}

static void ends_at_rules(void)
{
    struct test_page t;

    put_ruled(&t, true);
    ok(understand(&t), "a table with rules between its rows is understood");
    is_str(text_at(&t, 5, 0), "Heath upper", "a line above the last rule is in the last row");
    end(&t);
    put_ruled(&t, false);
    ok(understand(&t) && strcmp(text_at(&t, 5, 0), "Heath") == 0,
       "a line below all rules is not in the table");
    end(&t);
    begin(&t);
    put(&t, 105, 100, "a text that happens to have its middles above two columns.");
    put(&t, 105, 118, "Land"), put(&t, 200, 118, "Code"), put(&t, 275, 118, "Births");
    put(&t, 370, 118, "Deaths");
    put_rows(&t, 134, 16, 5);
    for (int i = 0; i < 5; i++)
        put(&t, 200, 134 + 16 * (float) i, "Code");
    ok(understand(&t) && table_of(&t)->n_rows == 6,
       "text that begins at the table's edge is not a header of columns");
    end(&t);
}

/* Rows between rules, with cells of more lines than a table without them would have. */
static void holds_long_cells(void)
{
    struct test_page t;
    float y = 120;

    begin(&t);
    put(&t, 105, 100, "Land"), put(&t, 205, 100, "What is known"), put(&t, 470, 100, "Births");
    rule(&t, 100, 86, 505, 86), rule(&t, 100, 106, 505, 106);
    for (int r = 0; r < 4; r++) {
        put(&t, 105, y, r % 2 ? "Hill" : "Dale");
        put(&t, 475, y, "12.5");
        for (int i = 0; i < 10; i++, y += 12)
            put(&t, 205, y,
                i % 2 ? "lines that are a bit shorter" : "lines of a cell that has many of");
        rule(&t, 100, y - 6, 505, y - 6);
        y += 8;
    }
    ok(understand(&t), "a table with long cells between rules is understood");
    is_int((int) table_of(&t)->n_rows, 5, "a table with long cells has a row between two rules");
    is_int((int) cell_at(&t, 1, 1)->n_blocks, 1,
           "lines that end before the numbers begin are one paragraph");
    end(&t);
}

static void divides_frames(void)
{
    struct test_page t;

    begin(&t);
    rule(&t, 100, 100, 410, 100), rule(&t, 100, 190, 410, 190);
    rule(&t, 100, 100, 100, 190), rule(&t, 410, 100, 410, 190);
    put_rows(&t, 116, 16, 5);
    ok(understand(&t), "a frame around rows of numbers is understood");
    is_int((int) table_of(&t)->n_columns, 3,
           "a frame around rows of numbers is a table and not a text box");
    ok(cell_at(&t, 0, 0)->left.width > 0, "the table in a frame has the frame's line at its side");
    end(&t);
}

static void heads_begin_left(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 105, 100, "Land"), put(&t, 202, 100, "Births"), put(&t, 302, 100, "Deaths");
    put_rows(&t, 116, 16, 5);
    ok(understand(&t), "a table with heads on the left and numbers on the right is understood");
    is_int((int) table_of(&t)->n_columns, 3,
           "headers on the left of numbers on the right are in their columns");
    is_str(text_at(&t, 0, 1), "Births", "a header is above its numbers");
    is_str(text_at(&t, 0, 2), "Deaths",
           "a header is above its numbers even if it begins where the column before ends");
    end(&t);
}

/* Boxes of colour behind the cells of a row. */
static void put_stripe(struct test_page *t, float base)
{
    static const float edges[] = { 100, 200, 305, 410 };

    for (size_t i = 0; i + 1 < sizeof edges / sizeof *edges; i++) {
        rule(t, edges[i] + 0.3F, base - 11, edges[i + 1] - 0.8F, base + 3);
        t->content.fills[t->content.n_fills - 1].color = 0xdddddd;
    }
}

static void joins_stripes(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 105, 100, "Land"), put(&t, 270, 100, "Births"), put(&t, 370, 100, "Deaths");
    put_stripe(&t, 132), put_stripe(&t, 164);
    put_rows(&t, 116, 16, 5);
    ok(understand(&t), "a table with every other row in colour is understood");
    is_int((int) table_of(&t)->n_rows, 6, "a table with every other row in colour has all rows");
    is_str(text_at(&t, 2, 0), "Dale", "the rows between coloured ones are at their places");
    ok(cell_at(&t, 2, 1)->shade == 0xdddddd && cell_at(&t, 1, 1)->shade != 0xdddddd,
       "each row has its colour");
    end(&t);
}

static void joins_no_bars(void)
{
    struct test_page t;

    begin(&t);
    put_rows(&t, 116, 16, 5);
    for (size_t i = 0; i < 5; i++)
        rule(&t, 140, 109 + 16 * (float) i, 160 + 20 * (float) i, 109 + 16 * (float) i);
    for (size_t i = t.content.n_fills - 5; i < t.content.n_fills; i++) {
        t.content.fills[i].stroked = false;
        t.content.fills[i].area.y1 += 9;
    }
    ok(understand(&t), "a chart of bars is understood");
    is_int((int) table_of(&t)->n_cells, 0, "the labels of a chart of bars are not a table");
    end(&t);
}

static void leaves_text(void)
{
    struct test_page t;

    begin(&t);
    for (size_t i = 0; i < 12; i++) {
        put(&t, 72, 100 + 12 * (float) i, "The river bends where the old mill stands and");
        put(&t, 310, 100 + 12 * (float) i, "falls to the harbour below the town by night");
    }
    ok(understand(&t), "text in two columns is understood");
    is_int((int) table_of(&t)->n_cells, 0, "text in two columns is not a table");
    end(&t);
}

/* A list in one column of the page, and names with prices in the next. */
static void leaves_lists(void)
{
    static const char *const prices[] = { "9.50", "4.00", "20.00", "7.25", "11.00" };
    struct test_page t;

    begin(&t);
    for (size_t i = 0; i < 5; i++) {
        put(&t, 100, 100 + 14 * (float) i, "*");
        t.content.glyphs[t.content.n_glyphs - 1].code = 0x2022;
        put(&t, 115, 100 + 14 * (float) i, "light study of it");
        put(&t, 300, 100 + 14 * (float) i, "Families");
        put(&t, 420, 100 + 14 * (float) i, prices[i]);
    }
    ok(understand(&t), "a list next to prices is understood");
    is_int((int) table_of(&t)->n_columns, 0, "bullets and items are not columns of a table");
    end(&t);
}

/* Records whose text has two lines; what else they have is in the middle of these. */
static void centres_cells(void)
{
    struct test_page t;
    char ref[20];

    begin(&t);
    put_at(&t, 60, 80, 9, "Date"), put_at(&t, 112, 80, 9, "Text"), put_at(&t, 410, 80, 9, "Debit");
    put_at(&t, 467, 80, 9, "Credit"), put_at(&t, 530, 80, 9, "Balance");
    for (int i = 0; i < 12; i++) {
        float y = 105 + 38 * (float) i;

        snprintf(ref, sizeof ref, "Ref %d", 71335198 + 1234567 * i);
        put_at(&t, 112, y, 9, i % 3 ? "Transfer of a report" : "Card payment to the market");
        put_at(&t, 112, y + 10.3F, 9, ref);
        put_at(&t, 58, y + 5.1F, 9, "03.04.");
        put_at(&t, i % 2 ? 409 : 470, y + 5.1F, 9, "185.94");
        put_at(&t, 530, y + 5.1F, 9, "4,024.61");
    }
    ok(understand(&t), "records with a text of two lines are understood");
    is_int((int) table_of(&t)->n_columns, 5, "records with a text of two lines are a table");
    is_int((int) table_of(&t)->n_rows, 13, "each record is a row");
    is_str(text_at(&t, 2, 0), "03.04.",
           "the row of a record has what is in the middle of its lines");
    end(&t);
}

/* A table in the left one of two columns of text. */
static void reads_columns(void)
{
    struct test_page t;

    begin(&t);
    for (size_t i = 0; i < 26; i++) {
        float base = 100 + 14 * (float) i;

        if (i < 10 || i > 14) {
            put(&t, 100, base, "the words of one column of a paper are");
        } else {
            put(&t, 105, base, i % 2 ? "Hill" : "Dale");
            put(&t, 190, base, i % 2 ? "12.5" : "8.25");
            put(&t, 260, base, i % 2 ? "7.00" : "9.75");
        }
        put(&t, 320, base, "those of another one that is beside it");
    }
    ok(understand(&t), "a table in a column of text is understood");
    is_int((int) table_of(&t)->n_columns, 3, "the text of the other column is not in the table");
    is_int((int) table_of(&t)->n_rows, 5, "the text above and below is not in the table");
    end(&t);
}

/* Words with narrow spaces. */
static void put_words(struct test_page *t, float x, float base, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put(t, x, base, words[i]);
        x += 5 * (float) strlen(words[i]) + 2.5F;
    }
}

/* Cells of several lines that fill their columns, which are 7 points from each other. */
static void divides_narrow(void)
{
    static const char *const left[] = { "marble", "rudder", "canvas", "rowing", "kettle" };
    static const char *const right[] = { "copper", "filters", "anchors" };
    struct test_page t;

    begin(&t);
    put(&t, 105, 100, "Name"), put(&t, 200, 100, "Left"), put(&t, 269.5F, 100, "Right");
    for (size_t i = 0; i < 12; i++) {
        float base = 120 + 12 * (float) (i % 3) + 48 * (float) (i / 3);

        if (i % 3 == 0)
            put(&t, 105, base, "Timber");
        put_words(&t, 200, base, &left[i % 3 * 2], i % 3 == 2 ? 1 : 2);
        put_words(&t, 269.5F, base, &right[i % 3], 1);
    }
    ok(understand(&t), "a table whose columns are near each other is understood");
    is_int((int) table_of(&t)->n_rows, 5, "a table with narrow gaps has rows of several lines");
    is_str(text_at(&t, 1, 1), "marble rudder canvas rowing kettle",
           "a line that fills its column ends in its cell");
    end(&t);
}

/* A head on the left of its column, above short numbers on the right. */
static void keeps_heads(void)
{
    struct test_page t;

    begin(&t);
    put(&t, 105, 100, "Land"), put(&t, 200, 100, "What it is"), put(&t, 350, 100, "Births"),
        put(&t, 420, 100, "Deaths");
    rule(&t, 102, 104, 492, 104);
    for (size_t i = 0; i < 4; i++) {
        float base = 120 + 44 * (float) i;

        if (i > 0)
            put(&t, 105, base, i % 2 ? "Hill" : "Dale");
        put(&t, 200, base, "a tower of very old stone");
        if (i > 0)
            put(&t, 365, base, i % 2 ? "105" : "108"), put(&t, 480, base, i % 2 ? "12" : "17");
        put(&t, 200, base + 12, "in the middle of a wood");
        put(&t, 200, base + 24, "of oaks");
        rule(&t, 102, base + 29, 492, base + 29);
    }
    ok(understand(&t), "a table with heads on the left of short numbers is understood");
    is_int((int) table_of(&t)->n_columns, 4, "the numbers are in the column of their head");
    is_str(text_at(&t, 0, 3), "Deaths", "a header is above its short numbers");
    is_str(text_at(&t, 2, 3), "12", "short numbers are in the column of their header");
    end(&t);
}

static size_t tables_of(const struct test_page *t)
{
    size_t n = 0;

    for (size_t k = 0; k < t->page.n_sections; k++)
        for (size_t i = 0; i < t->page.sections[k].blocks.n; i++)
            n += t->page.sections[k].blocks.items[i].kind == BLOCK_TABLE;
    return n;
}

static void put_cells(struct test_page *t, float base, const float *xs, const char *const *texts)
{
    for (int i = 0; i < 5; i++)
        put(t, xs[i], base, texts[i]);
}

/* A name between two tables, whose columns are at the same places or at others. */
static void put_two(struct test_page *t, const float *below)
{
    static const float xs[] = { 50, 130, 210, 280, 370 };
    static const char *const cells[][5] = { { "From", "Until", "Count", "Gross", "Net" },
                                            { "20/12/24", "31/12/24", "48", "12,500.00",
                                              "11,250.00" },
                                            { "Month", "Count", "Gross", "Net", "Share" },
                                            { "December", "48", "12,500.00", "11,250.00", "85%" },
                                            { "All", "48", "12,500.00", "11,250.00", "85%" } };

    begin(t);
    for (int i = 0; i < 2; i++)
        put_cells(t, 100 + 14 * (float) i, xs, cells[i]);
    put_at(t, 50, 138, 11, "Totals");
    for (int i = 2; i < 5; i++)
        put_cells(t, 124 + 14 * (float) i, below, cells[i]);
}

static void ends_at_names(void)
{
    struct test_page t;

    put_two(&t, (const float[]){ 50, 165, 240, 320, 420 });
    ok(understand(&t), "a page with two tables is understood");
    is_int((int) tables_of(&t), 2, "a name above other columns is between two tables");
    is_int((int) table_of(&t)->n_columns, 5, "the columns of the second are not in the first");
    is_int((int) table_of(&t)->n_rows, 2, "heads above one row of values are a table");
    end(&t);
    put_two(&t, (const float[]){ 50, 130, 210, 280, 370 });
    ok(understand(&t), "a page with a table of two parts is understood");
    is_int((int) tables_of(&t), 1, "a name above the same columns is in the table");
    end(&t);
}

int main(void)
{
    ends_at_names();
    keeps_heads();
    reads_columns();
    divides_narrow();
    centres_cells();
    leaves_lists();
    spans_heads();
    keeps_lines_of_cells();
    ends_at_rules();
    holds_long_cells();
    divides_frames();
    heads_begin_left();
    joins_stripes();
    joins_no_bars();
    leaves_text();
    return done_testing();
}
