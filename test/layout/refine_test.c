/* Ruled tables in which lines between rows or columns are not drawn. */
#include "tap.h"
#include "written.h"

static const struct table *table_of(const struct test_page *t)
{
    static const struct table none;

    for (size_t i = 0; t->page.n_sections && i < t->page.sections[0].blocks.n; i++)
        if (t->page.sections[0].blocks.items[i].kind == BLOCK_TABLE)
            return &t->page.sections[0].blocks.items[i].table;
    return &none;
}

static const struct cell *cell_at(const struct table *table, size_t row, size_t column)
{
    for (size_t i = 0; i < table->n_cells; i++)
        if (table->cells[i].row == row && table->cells[i].column == column)
            return &table->cells[i];
    return NULL;
}

static const char *text_at(const struct test_page *t, size_t row, size_t column)
{
    const struct cell *cell = cell_at(table_of(t), row, column);

    return !cell ? "no cell" : cell->n_blocks ? text_of(&cell->blocks[0]) : "";
}

static size_t paragraphs_at(const struct test_page *t, size_t row, size_t column)
{
    const struct cell *cell = cell_at(table_of(t), row, column);

    return cell ? cell->n_blocks : 0;
}

/* A page with a table of three columns, at 100, 200, 300 and 400, and the heads of those. The lines
 * between the columns end at `down`; one line goes across at each of the other heights. */
static void begin_table(struct test_page *t, float down, const float *across, size_t n)
{
    begin(t);
    for (size_t i = 0; i < n; i++)
        rule(t, 100, across[i], 400, across[i]);
    rule(t, 100, 100, 100, across[n - 1]);
    rule(t, 400, 100, 400, across[n - 1]);
    rule(t, 200, 100, 200, down);
    rule(t, 300, 100, 300, down);
    put(t, 105, 114, "Land"), put(t, 205, 114, "Births"), put(t, 305, 114, "Deaths");
}

static void divides_rows_of_lines(void)
{
    struct test_page t;

    begin_table(&t, 120, (const float[]){ 100, 120, 140, 160 }, 4);
    put(&t, 105, 134, "Hill"), put(&t, 205, 134, "12"), put(&t, 305, 134, "7");
    put(&t, 105, 154, "Dale"), put(&t, 305, 154, "9");
    ok(understand(&t), "a table whose columns are ruled in its head alone is understood");
    is_int((int) table_of(&t)->n_cells, 9,
           "a table that is ruled in its header alone has a cell in each row and column");
    is_str(text_at(&t, 1, 0), "Hill", "the first column has its text");
    is_str(text_at(&t, 1, 2), "7", "the last column has its number");
    is_str(text_at(&t, 2, 1), "", "a cell with nothing in it is empty");
    is_str(text_at(&t, 2, 2), "9", "a number after an empty cell is in its own column");
    end(&t);
}

static void keeps_spanning_text(void)
{
    struct test_page t;

    begin_table(&t, 120, (const float[]){ 100, 120, 140, 160 }, 4);
    put(&t, 105, 134, "All figures are of one year and of residents");
    put(&t, 105, 154, "Dale"), put(&t, 205, 154, "8"), put(&t, 305, 154, "9");
    ok(understand(&t) && cell_at(table_of(&t), 1, 0), "a table with a row of text is understood");
    is_int((int) cell_at(table_of(&t), 1, 0)->columns, 3, "the row of text stays one cell");
    is_int((int) table_of(&t)->n_cells, 7, "the other rows have three cells");
    end(&t);
}

static void divides_unruled_rows(void)
{
    struct test_page t;
    static const char *const names[] = { "Hill", "Dale", "Moor" };
    static const char *const births[] = { "12", "-", "1.5" }, *const deaths[] = { "7", "8", "" };

    begin_table(&t, 170, (const float[]){ 100, 120, 170 }, 3);
    for (int i = 0; i < 3; i++) {
        put(&t, 105, 134 + 14 * (float) i, names[i]);
        put(&t, 205, 134 + 14 * (float) i, births[i]);
        put(&t, 305, 134 + 14 * (float) i, deaths[i]);
    }
    ok(understand(&t), "a table with no lines between its rows is understood");
    is_int((int) table_of(&t)->n_rows, 4, "each line of values is a row");
    is_str(text_at(&t, 2, 0), "Dale", "a row has its name");
    is_str(text_at(&t, 3, 1), "1.5", "a row has its value");
    is_str(text_at(&t, 3, 2), "", "a row without a value has an empty cell");
    ok(table_of(&t)->n_rows == 4 && cell_at(table_of(&t), 1, 0)->top.width > 0 &&
           cell_at(table_of(&t), 2, 0)->top.width <= 0 &&
           cell_at(table_of(&t), 3, 0)->bottom.width > 0,
       "lines are where they were drawn");
    end(&t);
}

/* Six rows, with lines between them only where a test draws them. */
static void begin_unruled(struct test_page *t)
{
    static const char *const rows[][3] = { { "Oak", "12", "7" }, { "Elm", "", "80" },
                                           { "Ash", "9", "5" },  { "Sum", "", "92" },
                                           { "Tax", "", "18" },  { "Total", "", "110" } };

    begin_table(t, 220, (const float[]){ 100, 120, 220 }, 3);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            put(t, 105 + 100 * (float) k, 134 + 14 * (float) i, rows[i][k]);
}

static void divides_columns_next_to_rules(void)
{
    struct test_page t;

    begin_unruled(&t);
    rule(&t, 300, 166, 400, 166);
    ok(understand(&t), "a table with a line above the sum is understood");
    is_int((int) table_of(&t)->n_rows, 7, "a line across one column leaves the rows of the others");
    is_int((int) table_of(&t)->n_cells, 21, "a line across one column makes no merged cell");
    is_str(text_at(&t, 3, 0), "Ash", "a name above the line is in its row");
    is_str(text_at(&t, 3, 1), "9", "a number next to the line is in its row");
    is_str(text_at(&t, 4, 2), "92", "the sum has a cell of its own");
    ok(table_of(&t)->n_rows == 7 && cell_at(table_of(&t), 4, 2)->top.width > 0 &&
           cell_at(table_of(&t), 4, 0)->top.width <= 0,
       "the line is drawn above the sum, and nowhere else");
    end(&t);
    begin_unruled(&t);
    for (int i = 0; i < 5; i++)
        rule(&t, 200, 138 + 14 * (float) i, 400, 138 + 14 * (float) i);
    ok(understand(&t), "a table whose first column is not ruled is understood");
    is_int((int) table_of(&t)->n_cells, 21, "lines across two columns divide the third");
    is_str(text_at(&t, 2, 0), "Elm", "a name next to lines is in its row");
    end(&t);
}

/* A line that begins at the edge of a column and ends before its middle. */
static void leaves_underlines(void)
{
    struct test_page t;

    begin_unruled(&t);
    rule(&t, 100, 150, 120, 150);
    rule(&t, 100, 178, 120, 178);
    ok(understand(&t), "a table with underlined names is understood");
    is_int((int) table_of(&t)->n_rows, 7, "underlines make no rows");
    is_int((int) table_of(&t)->n_cells, 21, "underlines leave the rows of all columns");
    end(&t);
    begin_table(&t, 200, (const float[]){ 100, 120, 200 }, 3);
    put(&t, 105, 134, "Text that goes on"), put(&t, 205, 134, "and other text in"),
        put(&t, 105, 146, "in a second line"), put(&t, 205, 146, "a second column");
    rule(&t, 100, 136, 120, 136);
    ok(understand(&t), "a table with an underlined word is understood");
    is_int((int) table_of(&t)->n_rows, 2, "a line that divides no column makes no empty row");
    end(&t);
}

static void keeps_merged_cells(void)
{
    struct test_page t;

    begin(&t);
    for (int i = 0; i < 5; i++)
        rule(&t, i == 0 || i == 4 ? 100 : 200, 100 + 20 * (float) i, 400, 100 + 20 * (float) i);
    for (int i = 0; i < 4; i++)
        rule(&t, 100 + 100 * (float) i, 100, 100 + 100 * (float) i, 180);
    put(&t, 105, 138, "North and"), put(&t, 105, 150, "the hills");
    for (int i = 0; i < 4; i++)
        put(&t, 205, 114 + 20 * (float) i, "12"), put(&t, 305, 114 + 20 * (float) i, "7");
    ok(understand(&t), "a table with a merged cell is understood");
    is_int((int) table_of(&t)->n_cells, 9, "a merged cell stays one");
    is_int((int) cell_at(table_of(&t), 0, 0)->rows, 4, "a merged cell spans the rows next to it");
    end(&t);
}

/* A name of two lines, of which the first is as long as the column, has its values beside one. */
static void joins_wrapped_names(void)
{
    struct test_page t;

    begin_table(&t, 170, (const float[]){ 100, 120, 170 }, 3);
    put(&t, 105, 134, "The upper valley"), put(&t, 205, 134, "12"), put(&t, 305, 134, "7");
    put(&t, 105, 146, "settlements");
    put(&t, 105, 160, "Dale"), put(&t, 205, 160, "3"), put(&t, 305, 160, "4");
    ok(understand(&t), "a table with a name of two lines is understood");
    is_int((int) table_of(&t)->n_rows, 3, "the second line of a name is not a row");
    is_str(text_at(&t, 1, 0), "The upper valley settlements",
           "the second line of a name is joined to it");
    is_str(text_at(&t, 2, 1), "3", "the next record is a row");
    end(&t);
}

static void keeps_wrapped_text(void)
{
    struct test_page t;

    begin_table(&t, 170, (const float[]){ 100, 120, 170 }, 3);
    put(&t, 105, 134, "Text that goes on"), put(&t, 205, 134, "and other text in"),
        put(&t, 305, 134, "a third column");
    put(&t, 105, 146, "in a second line"), put(&t, 205, 146, "a second column and"),
        put(&t, 305, 146, "going on here");
    put(&t, 105, 158, "and a third one"), put(&t, 205, 158, "so on"), put(&t, 305, 158, "as well");
    ok(understand(&t), "a table with text of several lines is understood");
    is_int((int) table_of(&t)->n_rows, 2, "lines of text in cells are not rows");
    is_int((int) paragraphs_at(&t, 1, 0), 1, "lines of text in a cell are one paragraph");
    end(&t);
}

/* The values of the last column are not on the baselines of the others. */
static void keeps_uneven_text(void)
{
    struct test_page t;

    begin_table(&t, 170, (const float[]){ 100, 120, 170 }, 3);
    for (int i = 0; i < 3; i++) {
        put(&t, 105, 132 + 15 * (float) i, "Name");
        put(&t, 205, 132 + 15 * (float) i, "12");
        put(&t, 305, 137 + 12 * (float) i, "13");
    }
    ok(understand(&t), "a table whose columns have their own lines is understood");
    is_int((int) table_of(&t)->n_rows, 2, "lines of single columns are not rows");
    end(&t);
}

/* What has white space in it over many columns is two texts, and not many empty cells. */
static void leaves_few_empty_cells(void)
{
    struct test_page t;

    begin(&t);
    for (int i = 0; i < 3; i++)
        rule(&t, 100, 100 + 20 * (float) i, 400, 100 + 20 * (float) i);
    for (int i = 0; i < 11; i++)
        rule(&t, 100 + 30 * (float) i, 100, 100 + 30 * (float) i, i == 0 || i == 10 ? 140 : 120);
    for (int i = 0; i < 10; i++)
        put(&t, 105 + 30 * (float) i, 114, "ab");
    put(&t, 105, 134, "ab"), put(&t, 315, 134, "cd");
    ok(understand(&t) && cell_at(table_of(&t), 1, 0), "a table with a sparse row is understood");
    is_int((int) table_of(&t)->n_cells, 12, "the row has two cells");
    is_str(text_at(&t, 1, 7), "cd", "the second cell of a sparse row is where its text is");
    end(&t);
}

/* A shaded cell that spans two rows, in it a line of text with the same shade of its own. */
static void joins_shades(void)
{
    struct test_page t;
    struct fill shades[] = { { .area = { 100, 100, 200, 140 }, .color = 0xdddddd },
                             { .area = { 102, 102, 200, 110 }, .color = 0xdddddd },
                             { .area = { 200, 100, 300, 120 }, .color = 0xeeeeee },
                             { .area = { 200, 120, 300, 140 }, .color = 0xeeeeee },
                             { .area = { 200, 102, 299, 110 }, .color = 0xeeeeee } };

    begin(&t);
    t.content.fills = malloc(sizeof shades);
    memcpy(t.content.fills, shades, sizeof shades);
    t.content.n_fills = 5;
    for (int i = 0; i < 3; i++)
        rule(&t, i == 1 ? 200 : 100, 100 + 20 * (float) i, 300, 100 + 20 * (float) i);
    for (int i = 0; i < 3; i++)
        rule(&t, 100 + 100 * (float) i, 100, 100 + 100 * (float) i, 140);
    put(&t, 105, 114, "Asthma and colds"), put(&t, 205, 114, "Count");
    put(&t, 105, 130, "syndrome"), put(&t, 205, 134, "Share");
    ok(understand(&t), "a table whose text has a shade of its own is understood");
    is_int((int) table_of(&t)->n_cells, 3, "the shade of the text divides no cell");
    is_int((int) table_of(&t)->n_rows, 2, "the shade of the text makes no row");
    end(&t);
}

int main(void)
{
    divides_rows_of_lines();
    keeps_spanning_text();
    divides_unruled_rows();
    divides_columns_next_to_rules();
    leaves_underlines();
    keeps_merged_cells();
    joins_wrapped_names();
    keeps_wrapped_text();
    keeps_uneven_text();
    leaves_few_empty_cells();
    joins_shades();
    return done_testing();
}
