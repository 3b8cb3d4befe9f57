/* Coloured boxes as the head of a table whose rows have no lines. */
#include "base/scope.h"
#include "tap.h"
#include "written.h"

static const float edges[] = { 100, 180, 300, 360, 440 };

static void box(struct test_page *t, float x0, float y0, float x1, float y1)
{
    rule(t, x0, y0, x1, y1);
    t->content.fills[t->content.n_fills - 1].color = 0xcccccc;
}

/* Boxes with this space between them, and in them the heads. */
static void begin_boxes(struct test_page *t, float gap, const char *const heads[4])
{
    begin(t);
    for (int i = 0; i < 4; i++) {
        box(t, edges[i], 100, edges[i + 1] - gap - 0.5F, 116);
        put(t, edges[i] + 4, 112, heads[i]);
    }
}

static void put_row(struct test_page *t, float base, const char *const texts[4])
{
    for (int i = 0; i < 4; i++)
        put(t, edges[i] + 4, base, texts[i]);
}

static size_t tables_of(const struct test_page *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->page.n_sections; i++)
        for (size_t k = 0; k < t->page.sections[i].blocks.n; k++)
            n += t->page.sections[i].blocks.items[k].kind == BLOCK_TABLE;
    return n;
}

static const struct table *table_of(const struct test_page *t)
{
    static const struct table none;

    for (size_t i = 0; i < t->page.n_sections; i++)
        for (size_t k = 0; k < t->page.sections[i].blocks.n; k++)
            if (t->page.sections[i].blocks.items[k].kind == BLOCK_TABLE)
                return &t->page.sections[i].blocks.items[k].table;
    return &none;
}

static const char *text_at(const struct test_page *t, size_t row, size_t column)
{
    const struct table *table = table_of(t);

    for (size_t i = 0; i < table->n_cells; i++)
        if (table->cells[i].row == row && table->cells[i].column == column)
            return table->cells[i].n_blocks ? text_of(&table->cells[i].blocks[0]) : "";
    return "no cell";
}

static const char *const goods[] = { "Group", "Goods", "Unit", "Price" };

static void takes_one_row(void)
{
    static const float gaps[] = { 0, 0.8F, 1.5F };

    for (size_t i = 0; i < COUNT(gaps); i++) {
        struct test_page t;

        begin_boxes(&t, gaps[i], goods);
        put_row(&t, 136, (const char *const[]){ "HB", "Hire of the boat", "day", "2390.90" });
        put(&t, 100, 180, "Please pay within thirty days to the account of the harbour");
        ok(understand(&t), "a page with boxes and a row is understood");
        is_int((int) tables_of(&t), 1, "boxes and the row below them are one table");
        is_int((int) table_of(&t)->n_rows, 2, "the sentence below is not a row");
        is_str(text_at(&t, 0, 1), "Goods", "the boxes have the heads");
        is_str(text_at(&t, 1, 1), "Hire of the boat", "a text is below its head");
        is_str(text_at(&t, 1, 3), "2390.90", "a number is below its head");
        end(&t);
    }
}

static void takes_more_rows(void)
{
    struct test_page t;

    begin_boxes(&t, 1, goods);
    put_row(&t, 136, (const char *const[]){ "HB", "Hire of the boat with", "day", "2390.90" });
    put(&t, edges[1] + 4, 148, "a crew of three");
    put_row(&t, 166, (const char *const[]){ "HC", "Fuel", "", "12.00" });
    put(&t, edges[1] + 4, 190, "Sum of it all, in euros"), put(&t, edges[3] + 4, 190, "2402.90");
    ok(understand(&t), "a page with boxes and rows is understood");
    is_int((int) tables_of(&t), 1, "boxes and the rows below them are one table");
    is_int((int) table_of(&t)->n_rows, 4, "the second line of a text is not a row");
    is_str(text_at(&t, 2, 2), "", "what a row does not have is an empty cell");
    is_str(text_at(&t, 3, 3), "2402.90", "the sum is in the table");
    is_str(text_at(&t, 3, 1), "Sum of it all, in euros", "a text over two columns is one cell");
    end(&t);
}

/* Addresses below two of the boxes. */
static void takes_addresses(void)
{
    struct test_page t;

    begin(&t);
    box(&t, 100, 100, 250, 116), box(&t, 251, 100, 400, 116);
    put(&t, 104, 112, "Bill to"), put(&t, 255, 112, "Ship to");
    put(&t, 104, 130, "Acme Ltd"), put(&t, 255, 130, "Acme Ltd");
    put(&t, 104, 142, "Mill Lane"), put(&t, 255, 142, "Dock four");
    put(&t, 104, 154, "Whitby"), put(&t, 255, 154, "Scarborough");
    ok(understand(&t), "a page with boxes above addresses is understood");
    is_int((int) table_of(&t)->n_rows, 2, "addresses below boxes are one row");
    end(&t);
}

static void leaves_running_text(void)
{
    static const char *const lines[] = { "The salt was brought over", "the hills on the backs of",
                                         "mules and sold in towns a", "long way down the river" };
    struct test_page t;

    begin(&t);
    box(&t, 50, 100, 219, 116), box(&t, 220, 100, 389, 116), box(&t, 390, 100, 560, 116);
    put(&t, 54, 112, "Where"), put(&t, 224, 112, "When"), put(&t, 394, 112, "Why");
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            put(&t, 54 + 170 * (float) k, 134 + 12 * (float) i, lines[i]);
    ok(understand(&t), "a page with boxes above columns is understood");
    is_int((int) table_of(&t)->n_rows, 1, "columns of running text are not rows");
    end(&t);
}

int main(void)
{
    takes_one_row();
    takes_more_rows();
    takes_addresses();
    leaves_running_text();
    return done_testing();
}
