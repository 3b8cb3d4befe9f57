/* Tables over several pages, whose repeated headers are not headers of the pages. */
#include <stdio.h>

#include "book.h"
#include "tap.h"

#define COUNT 5 /* pages */
#define ROWS  30

static void put(struct page_content *content, float x, float base, const char *text)
{
    put_letters(content, x, base, 10, text);
}

static void rule(struct page_content *content, float x0, float y0, float x1, float y1)
{
    content->fills = realloc(content->fills, (content->n_fills + 1) * sizeof *content->fills);
    content->fills[content->n_fills++] = (struct fill){ .area = { x0, y0, x1 + 0.5F, y1 + 0.5F } };
}

/* Lines around cells of 20 points' height from (50, y) on. */
static void ruled(struct page_content *content, float y, int rows, int columns)
{
    for (int r = 0; r <= rows; r++)
        rule(content, 50, y + 20 * (float) r, 450, y + 20 * (float) r);
    for (int c = 0; c <= columns; c++)
        rule(content, 50 + 400 * (float) c / (float) columns, y,
             50 + 400 * (float) c / (float) columns, y + 20 * (float) rows);
}

/* A row of words; those of the first column differ from page to page. */
static void row(struct page_content *content, int page, int r, float y, int columns)
{
    static const char *heads[] = { "Place", "Births", "Deaths" };
    char text[20];

    for (int c = 0; c < columns; c++) {
        snprintf(text, sizeof text, c ? "%d" : "Town %c%c", c ? 100 * c + 7 * r + page : 'a' + page,
                 'a' + r);
        put(content, 55 + 400 * (float) c / (float) columns, y + 14, r ? text : heads[c]);
    }
}

/* Pages that a table fills, from y on; without lines its rows have the same places. */
static void begin(struct book *book, int columns, bool lines, float y)
{
    *book = (struct book){ .n = COUNT };
    for (int i = 0; i < COUNT; i++) {
        struct page_content *content = &book->contents[i];

        *content = (struct page_content){
            .number = (size_t) i, .width = 500, .height = 800, .fonts = &font, .n_fonts = 1
        };
        for (int r = 0; r < ROWS; r++)
            row(content, i, r, y + 20 * (float) r, columns);
        if (lines)
            ruled(content, y, ROWS, columns);
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
        n += book->pages[i].before == TRANSITION_TABLE;
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
        struct page_content *content = &book.contents[i];

        *content = (struct page_content){
            .number = (size_t) i, .width = 500, .height = 800, .fonts = &font, .n_fonts = 1
        };
        for (int r = 0; r < 24; r++) {
            float y = 60 + 30 * (float) r;

            snprintf(text, sizeof text, "Name %c%c", 'a' + i, 'a' + r);
            put(content, 130, y - 5, text), put(content, 130, y + 6, "at 4 High Street");
            put(content, 55, y, "03.04."), put(content, 300, y, "17.25"),
                put(content, 400, y, "188.40");
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
        ruled(&book.contents[i], 40, 2, 3);
        put(&book.contents[i], 55, 54, "Works");
        put(&book.contents[i], 190, 54, "Manual of quality");
        put(&book.contents[i], 322, 74, "Issue C");
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
