/* A rectangle around most of a page, with text and tables in it. */
#include "tap.h"
#include "written.h"

static void box(struct test_page *t, float x0, float y0, float x1, float y1)
{
    rule(t, x0, y0, x1, y0);
    rule(t, x0, y1, x1, y1);
    rule(t, x0, y0, x0, y1);
    rule(t, x1, y0, x1, y1);
}

/* Rows of four cells with a line around each, from edge to edge of the border. */
static void put_ruled(struct test_page *t, float y, int rows)
{
    static const char *const cells[] = { "Work", "12", "150", "1,800" };

    for (int r = 0; r <= rows; r++)
        rule(t, 50, y + 16 * (float) r, 550, y + 16 * (float) r);
    for (int c = 1; c < 4; c++)
        rule(t, 50 + 125 * (float) c, y, 50 + 125 * (float) c, y + 16 * (float) rows);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < 4; c++)
            put(t, 56 + 125 * (float) c, y + 12 + 16 * (float) r, cells[c]);
}

static size_t n_tables(const struct test_page *t, size_t rows)
{
    size_t n = 0;

    for (size_t s = 0; s < t->page.n_sections; s++)
        for (size_t i = 0; i < t->page.sections[s].blocks.n; i++) {
            const struct block *b = &t->page.sections[s].blocks.items[i];

            n += b->kind == BLOCK_TABLE && (rows == 0 || b->table.n_rows == rows);
        }
    return n;
}

static void border(void)
{
    static const char *const rows[][2] = { { "Insured", "Gabriel Day" },
                                           { "Claim", "SF-1008" },
                                           { "Policy", "POL-555" } };
    struct test_page t;

    begin(&t);
    box(&t, 50, 60, 550, 700);
    put_at(&t, 240, 100, 16, "HARBOUR GARAGE");
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 2; c++)
            put(&t, 60 + 120 * (float) c, 160 + 14 * (float) r, rows[r][c]);
    put_ruled(&t, 260, 5);
    put(&t, 60, 400, "This is a first estimate of the harm to the vehicle.");
    ok(understand(&t) && strcmp(text_of(block(&t, 0, 0)), "HARBOUR GARAGE") == 0,
       "what is in a border of the page, and in no cell, is text");
    ok(n_tables(&t, 5) == 1, "a table from side to side of a border has its own rows");
    ok(n_tables(&t, 3) == 1, "rows without lines in a border are rows");
    ok(n_tables(&t, 0) == 2, "a border of the page is not a table");
    end(&t);
}

static void table(void)
{
    struct test_page t;

    begin(&t);
    box(&t, 50, 60, 550, 60 + 16 * 36);
    put_ruled(&t, 60, 36);
    ok(understand(&t) && n_tables(&t, 36) == 1 && n_tables(&t, 0) == 1,
       "a table as high as the page stays one table");
    end(&t);
    begin(&t);
    box(&t, 50, 60, 550, 700);
    put(&t, 60, 80, "Application");
    for (int r = 0; r < 6; r++) {
        rule(&t, 50, 100 + 100 * (float) r, 550, 100 + 100 * (float) r);
        put(&t, 60, 120 + 100 * (float) r, r % 2 ? "Reasons" : "Remarks");
    }
    rule(&t, 300, 200, 300, 300);
    put(&t, 310, 220, "Town: Whitby");
    ok(understand(&t) && n_tables(&t, 0) == 1 && n_tables(&t, 7) == 1,
       "a form of the size of the page stays one table");
    end(&t);
}

/* Four columns of names and values, of which the right ones go on alone. */
static void put_names(struct test_page *t, float y)
{
    static const char *const cells[][4] = { { "Insured", "Gabriel Day", "Year", "2022" },
                                            { "Claim", "SF-1008", "Make", "Rover" },
                                            { "Policy", "POL-555", "Model", "Hill" },
                                            { "Phone", "0200 555", "Trim", "Limited" },
                                            { NULL, NULL, "Colour", "White" },
                                            { NULL, NULL, "Miles", "9,800" } };
    static const float places[] = { 60, 160, 330, 420 };

    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 4; c++)
            if (cells[r][c])
                put(t, places[c], y + 14 * (float) r, cells[r][c]);
}

/* A title in the middle of the border, with or without lines between the columns below it. */
static void title(bool lines)
{
    struct test_page t;

    begin(&t);
    box(&t, 50, 60, 550, 700);
    put_at(&t, 240, 100, 16, "HARBOUR GARAGE");
    put(&t, 250, 118, "Repairs of every kind");
    put(&t, 255, 132, "12 Mill Lane, Whitby");
    put(&t, 245, 146, "Telephone 0200 555 0144");
    put_names(&t, 170);
    for (int c = 0; lines && c < 3; c++)
        rule(&t, (const float[]){ 150, 320, 410 }[c], 156, (const float[]){ 150, 320, 410 }[c],
             246);
    for (int r = 0; lines && r < 2; r++)
        rule(&t, 50, 156 + 90 * (float) r, 550, 156 + 90 * (float) r);
    put(&t, 60, 400, "This is a first estimate of the harm to the vehicle.");
    ok(understand(&t) && strcmp(text_of(block(&t, 0, 0)), "HARBOUR GARAGE") == 0,
       "a title in the middle of a border is not in the table below it");
    ok(n_tables(&t, 6) == 1 && n_tables(&t, 0) == 1, "each baseline of that table is a row");
    end(&t);
}

int main(void)
{
    border();
    title(true);
    title(false);
    table();
    return done_testing();
}
