/* Tables of two columns, and what looks like them. */
#include "tap.h"
#include "written.h"

static const char *const names[] = { "Name", "Address", "Purpose", "From", "To", "Remarks" };

/* Rows of a name and what is said of it; `more`: so many of them go on in a second line. */
static void put_rows(struct test_page *t, int n, int more)
{
    float y = 100;

    for (int i = 0; i < n; i++, y += 18) {
        put(t, 50, y, names[i % 6]);
        put(t, 150, y, "Weber, and what else there is to");
        if (i < more)
            put(t, 150, y += 12, "be said");
    }
    put(t, 50, y + 12,
        "Below there is a line of text, which has nothing to do with what is above.");
}

static const struct table *table(const struct test_page *t)
{
    static const struct table none;

    for (size_t i = 0; t->page.n_sections && i < t->page.sections[0].blocks.n; i++)
        if (block(t, 0, i)->kind == BLOCK_TABLE)
            return &block(t, 0, i)->table;
    return &none;
}

/* The rows of the table that two lists become. */
static int rows_of(const char *const *left, const char *const *right, int n, bool ends)
{
    struct test_page t;
    int rows;

    begin(&t);
    for (int i = 0; i < n; i++) {
        float x = ends ? 300 - 5 * (float) strlen(right[i]) : 150;

        put(&t, 50, 100 + 14 * (float) i, left[i]);
        put(&t, x, 100 + 14 * (float) i, right[i]);
    }
    put(&t, 50, 300, "Below there is a line of text, which has nothing to do with what is above.");
    rows = understand(&t) ? (int) table(&t)->n_rows : -1;
    end(&t);
    return rows;
}

static void tables(void)
{
    static const char *const goods[] = { "Coffee", "Tea with milk", "Cake", "Water" };
    static const char *const prices[] = { "2.20", "13.10", "3.60", "1.00" };
    struct test_page t;

    begin(&t);
    put_rows(&t, 6, 2);
    ok(understand(&t), "names and what is said of them are understood");
    ok(table(&t)->n_rows == 6 && table(&t)->n_columns == 2,
       "six names with their texts are a table");
    ok(table(&t)->n_cells > 1 && table(&t)->cells[1].n_blocks == 1 &&
           strcmp(text_of(&table(&t)->cells[1].blocks[0]),
                  "Weber, and what else there is to be said") == 0,
       "a text of two lines is in one cell");
    end(&t);
    is_int(rows_of(goods, prices, 4, true), 4,
           "goods with prices that are aligned on the right are a table");
    begin(&t);
    put(&t, 90, 100, "Length");
    put(&t, 100, 114, "Beam");
    put(&t, 60, 128, "Displacement");
    for (int i = 0; i < 3; i++)
        put(&t, 130, 100 + 14 * (float) i, i % 2 ? "three or four" : "some metres");
    put(&t, 50, 250, "Below there is a line of text, which has nothing to do with what is above.");
    ok(understand(&t), "names that end at one place are understood");
    is_int((int) table(&t)->n_rows, 3, "names that end at one place are a table");
    end(&t);
}

static void others(void)
{
    static const char *const chapters[] = { "Introduction", "Boats", "Crew", "Weather" };
    static const char *const pages[] = { "1", "14", "115", "122" };
    static const char *const people[] = { "Anna", "Ole", "Anna", "Ole", "Anna" };
    static const char *const words[] = { "Where is it", "In the shed", "Which one", "By the water",
                                         "Thank you" };
    static const char *const numbers[] = { "1.", "2.", "3.", "4." };
    struct test_page t;

    begin(&t);
    put_rows(&t, 6, 5);
    ok(understand(&t), "text that hangs on words is understood");
    is_int((int) table(&t)->n_rows, 0, "text that hangs on words is not a table");
    end(&t);
    begin(&t);
    put_rows(&t, 2, 0);
    ok(understand(&t), "two rows are understood");
    is_int((int) table(&t)->n_rows, 0, "two rows are not a table");
    end(&t);
    is_int(rows_of(chapters, pages, 4, true), 0, "a table of contents is not a table of pairs");
    is_int(rows_of(people, words, 5, false), 0,
           "people with what they say are not a table of pairs");
    is_int(rows_of(numbers, chapters, 4, false), 0, "a list with numbers is not a table of pairs");
}

int main(void)
{
    tables();
    others();
    return done_testing();
}
