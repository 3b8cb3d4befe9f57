/* Tables over several pages, whose repeated headers are not headers of the pages. */
#include <stdio.h>

#include "book.h"
#include "tap.h"

#define COUNT 5 /* pages */
#define ROWS  30

static void put(struct sheet *sheet, float x, float base, const char *text)
{
    put_letters(sheet, x, base, 10, text);
}

static void rule(struct sheet *sheet, float x0, float y0, float x1, float y1)
{
    sheet->fills = realloc(sheet->fills, (sheet->n_fills + 1) * sizeof *sheet->fills);
    sheet->fills[sheet->n_fills++] = (struct fill){ .area = { x0, y0, x1 + 0.5F, y1 + 0.5F } };
}

/* Lines around cells of 20 points' height from (50, y) on. */
static void ruled(struct sheet *sheet, float y, int rows, int columns)
{
    for (int r = 0; r <= rows; r++)
        rule(sheet, 50, y + 20 * (float) r, 450, y + 20 * (float) r);
    for (int c = 0; c <= columns; c++)
        rule(sheet, 50 + 400 * (float) c / (float) columns, y,
             50 + 400 * (float) c / (float) columns, y + 20 * (float) rows);
}

/* A row of words; those of the first column differ from page to page. */
static void row(struct sheet *sheet, int page, int r, float y, int columns)
{
    static const char *heads[] = { "Place", "Births", "Deaths" };
    char text[20];

    for (int c = 0; c < columns; c++) {
        snprintf(text, sizeof text, c ? "%d" : "Town %c%c", c ? 100 * c + 7 * r + page : 'a' + page,
                 'a' + r);
        put(sheet, 55 + 400 * (float) c / (float) columns, y + 14, r ? text : heads[c]);
    }
}

/* Pages that a table fills, from y on; without lines its rows have the same places. */
static void begin(struct book *book, int columns, bool lines, float y)
{
    *book = (struct book){ .n = COUNT };
    for (int i = 0; i < COUNT; i++) {
        struct sheet *sheet = &book->sheets[i];

        *sheet = (struct sheet){
            .number = (size_t) i, .width = 500, .height = 800, .fonts = &font, .n_fonts = 1
        };
        for (int r = 0; r < ROWS; r++)
            row(sheet, i, r, y + 20 * (float) r, columns);
        if (lines)
            ruled(sheet, y, ROWS, columns);
    }
}

/* How many pages begin with a table of all rows. */
static int tables(const struct book *book)
{
    int n = 0;

    for (int i = 0; i < book->n; i++) {
        const struct page *page = &book->pages[i];
        const struct block *block =
            page->n_sections && page->sections[0].blocks.n ? page->sections[0].blocks.items : NULL;

        n += block && block->kind == BLOCK_TABLE && block->table.n_rows == ROWS &&
             block->table.cells[0].n_blocks == 1;
    }
    return n;
}

static int joined(const struct book *book)
{
    int n = 0;

    for (int i = 1; i < book->n; i++)
        n += book->pages[i].before == SEAM_TABLE;
    return n;
}

static void keeps_heads(void)
{
    struct book book;

    begin(&book, 3, true, 60);
    ok(understand(&book), "pages with a ruled table are understood");
    is_int(tables(&book), COUNT, "the repeated header of a ruled table stays in the table");
    is_int(joined(&book), COUNT - 1, "the parts of a ruled table are joined");
    end(&book);
    begin(&book, 2, true, 60);
    ok(understand(&book) && tables(&book) == COUNT && joined(&book) == COUNT - 1,
       "a ruled table of two columns keeps its header and is joined");
    end(&book);
    begin(&book, 3, false, 60);
    ok(understand(&book) && tables(&book) == COUNT && joined(&book) == COUNT - 1,
       "a table without lines keeps its header and is joined");
    end(&book);
}

/* Rows of dates and amounts, whose text is the same but for the digits, down to the page's end. */
static void keeps_feet(void)
{
    struct book book = { .n = COUNT };
    char text[20];

    for (int i = 0; i < COUNT; i++) {
        struct sheet *sheet = &book.sheets[i];

        *sheet = (struct sheet){
            .number = (size_t) i, .width = 500, .height = 800, .fonts = &font, .n_fonts = 1
        };
        for (int r = 0; r < 24; r++) {
            float y = 60 + 30 * (float) r;

            snprintf(text, sizeof text, "Name %c%c", 'a' + i, 'a' + r);
            put(sheet, 130, y - 5, text), put(sheet, 130, y + 6, "at 4 High Street");
            put(sheet, 55, y, "03.04."), put(sheet, 300, y, "17.25"), put(sheet, 400, y, "188.40");
        }
    }
    ok(understand(&book), "pages of records are understood");
    is_int(book.survey.n_feet + book.survey.n_heads, 0, "the last record is not a footer");
    end(&book);
}

static void finds_headers(void)
{
    struct book book;

    begin(&book, 3, true, 120);
    for (int i = 0; i < COUNT; i++) {
        ruled(&book.sheets[i], 40, 2, 3);
        put(&book.sheets[i], 55, 54, "Works");
        put(&book.sheets[i], 190, 54, "Manual of quality");
        put(&book.sheets[i], 322, 74, "Issue C");
    }
    ok(understand(&book) && book.headers.n == 1 && book.headers.items[0].head[0].n > 0,
       "a header in a frame of cells is a header");
    end(&book);
}

int main(void)
{
    keeps_heads();
    keeps_feet();
    finds_headers();
    return done_testing();
}
