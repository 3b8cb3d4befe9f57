/* Tables that continue on the next page. */
#include <string.h>

#include "layout/continuation/continued_caption.h"
#include "layout/continuation/continued_row.h"
#include "layout/continuation/continued_table.h"
#include "layout/page/words.h"
#include "layout/tables/table_head.h"
#include "tap.h"

#define ROWS    4
#define COLUMNS 3

static const struct page_font plain = { .source = "Test", .family = "Test" };

/* A table of ROWS rows and COLUMNS columns of 100 points from x = 50 on, and its memory. */
struct made {
    struct table table;
    struct cell cells[ROWS * COLUMNS];
    struct block blocks[ROWS * COLUMNS];
    struct run runs[ROWS * COLUMNS];
    float widths[COLUMNS], heights[ROWS];
};

static void make(struct made *made, char *texts[ROWS][COLUMNS])
{
    *made = (struct made){ .table = { .area = { 50, 100, 350, 180 },
                                      .widths = made->widths,
                                      .heights = made->heights,
                                      .n_columns = COLUMNS,
                                      .n_rows = ROWS,
                                      .cells = made->cells,
                                      .n_cells = (size_t) ROWS * COLUMNS } };
    for (size_t i = 0; i < (size_t) ROWS * COLUMNS; i++) {
        char *text = texts[i / COLUMNS][i % COLUMNS];

        made->widths[i % COLUMNS] = 100;
        made->heights[i / COLUMNS] = 20;
        made->runs[i] = (struct run){ .text = text, .len = strlen(text) };
        made->blocks[i] = (struct block){
            .kind = BLOCK_PARAGRAPH,
            .paragraph = { .runs = &made->runs[i],
                           .n_runs = 1,
                           .area = { .x0 = 55.0F + 100 * (float) (i % COLUMNS) } }
        };
        made->cells[i] = (struct cell){ .row = i / COLUMNS,
                                        .column = i % COLUMNS,
                                        .rows = 1,
                                        .columns = 1,
                                        .shade = STYLE_PLAIN,
                                        .blocks = &made->blocks[i],
                                        .n_blocks = 1 };
    }
}

static char *first[ROWS][COLUMNS] = {
    { "Land", "Births", "Deaths" }, { "Hill", "1", "2" }, { "Dale", "3", "4" }, { "Lea", "5", "6" }
};
static char *headed[ROWS][COLUMNS] = { { "Land", "Births", "Dea ths" },
                                       { "Moor", "7", "8" },
                                       { "Fen", "9", "10" },
                                       { "Mere", "11", "12" } };
static char *headless[ROWS][COLUMNS] = {
    { "Moor", "7", "8" }, { "Fen", "9", "10" }, { "Mere", "11", "12" }, { "Tarn", "13", "14" }
};
static char *other[ROWS][COLUMNS] = {
    { "Town", "Cars", "Buses" }, { "Moor", "7", "8" }, { "Fen", "9", "10" }, { "Mere", "11", "12" }
};
static char *numbers[ROWS][COLUMNS] = {
    { "2001", "7", "8" }, { "2002", "9", "10" }, { "2003", "11", "12" }, { "2004", "13", "14" }
};

static bool continues(const struct made *a, const struct made *b, float aside, size_t *repeated)
{
    *repeated = 0;
    return continued_table_is(&a->table, &b->table, &plain, aside, repeated);
}

static void decides(void)
{
    struct made a, b;
    size_t repeated;

    make(&a, first);
    make(&b, headed);
    ok(continues(&a, &b, 0, &repeated) && repeated == 1, "a header that is repeated is recognised");
    b.widths[0] = 110, b.widths[1] = 90;
    ok(continues(&a, &b, 0, &repeated), "edges of columns may then be a bit elsewhere");
    b.widths[0] = 120, b.widths[1] = 80;
    ok(continues(&a, &b, 0, &repeated),
       "edges of columns may be anywhere if the words are at the same places");
    b.blocks[1].paragraph.area.x0 += 10;
    ok(!continues(&a, &b, 0, &repeated),
       "edges of columns may not differ by more than a twentieth of the width");
    make(&b, headless);
    ok(continues(&a, &b, 0, &repeated) && repeated == 0, "rows without a header continue a table");
    b.widths[0] = 103, b.widths[1] = 97;
    ok(!continues(&a, &b, 0, &repeated),
       "rows without a header do not continue a table with other columns");
    make(&b, headless);
    b.table.area.x0 = 80;
    ok(!continues(&a, &b, 0, &repeated) && continues(&a, &b, -30, &repeated),
       "rows without a header continue a table at the same place relative to the margin");
    make(&b, other);
    ok(!continues(&a, &b, 0, &repeated), "a table with a header of its own is another table");
    make(&b, headed);
    b.table.n_columns = 2;
    ok(!continues(&a, &b, 0, &repeated), "a table with fewer columns is another table");
    make(&a, numbers);
    make(&b, numbers);
    ok(continues(&a, &b, 0, &repeated) && repeated == 0, "equal rows of numbers are not a header");
    make(&a, first);
    make(&b, headed);
    a.cells[0].rows = b.cells[0].rows = 2;
    a.blocks[3] = b.blocks[3];
    ok(!continues(&a, &b, 0, &repeated), "half of a header is not repeated");
}

static void joins(void)
{
    struct made a, b;
    struct glyph glyph = { .x0 = 60, .x1 = 70, .base = 112, .size = 10 };
    struct word words[2] = {
        { .area = { 60, 104, 70, 114 }, .size = 10, .base = 112, .glyphs = &glyph, .n_glyphs = 1 },
        { .area = { 60, 124, 70, 134 }, .size = 10, .base = 132, .glyphs = &glyph, .n_glyphs = 1 }
    };
    struct block block;
    struct section section = { .n_columns = 1, .blocks = { .items = &block, .n = 1 } };
    struct page page = { .sections = &section, .n_sections = 1, .words = words, .n_words = 2 };
    struct table *table = &block.table;

    make(&a, first);
    make(&b, headed);
    b.widths[0] = 90;
    b.blocks[4].paragraph.left = 15;
    b.blocks[4].paragraph.align = b.blocks[5].paragraph.align = ALIGN_LEFT;
    b.blocks[3].paragraph.right = 2;
    b.blocks[3].paragraph.align = ALIGN_RIGHT;
    block = (struct block){ .kind = BLOCK_TABLE, .table = b.table };
    continued_table_join(&a.table, table, &page, 1, false);
    ok(a.table.continued && table->continues && table->repeated == 1,
       "both parts of the table are marked");
    ok(table->widths[0] > 99, "the columns of both parts have the same width");
    is_int((int) b.blocks[3].paragraph.right, 12,
           "text on the right of a wider column stays at its place");
    is_int((int) b.blocks[4].paragraph.left, 5,
           "text on the left of a wider column stays at its place");
    ok(words_is_apart(&words[0]) && !words_is_apart(&words[1]),
       "words of the repeated header need not be in the text");
    is_int((int) table_head_rows(&a.table, &plain), 1,
           "the first part's header is the rows that are repeated");
    is_int((int) table_head_rows(table, &plain), 0, "the second part has no header");
    continued_table_part(&page);
    ok(!table->continues && table->repeated == 0 && !words_is_apart(&words[0]),
       "without the page before the second part is a table of its own");
}

static void joins_rows(void)
{
    struct made a, b;
    struct arena arena = { 0 };
    struct paragraph *p = &a.blocks[10].paragraph, *q = &b.blocks[4].paragraph;

    make(&a, first);
    make(&b, headed);
    p->tail = (struct edge_line){ .x0 = 155, .size = 10, .code = 'x' };
    p->n_lines = 2;
    p->room = 5;
    q->head = (struct edge_line){ .x0 = 155, .size = 10, .width = 50, .code = 'a' };
    q->n_lines = 1;
    ok(!continued_row_is(&a.table, &b.table, 1, 0), "a row of which no cell continues is a row");
    b.cells[3].n_blocks = b.cells[5].n_blocks = 0;
    ok(continued_row_is(&a.table, &b.table, 1, 0),
       "a row whose only text continues that above it is the rest of that row");
    p->n_lines = 1;
    ok(!continued_row_is(&a.table, &b.table, 1, 0),
       "a row is not the rest of a row with a single line");
    p->n_lines = 2;
    p->room = 80;
    ok(!continued_row_is(&a.table, &b.table, 1, 0),
       "a row is not the rest of a row with room for its first word");
    p->room = 5;
    a.cells[10].n_blocks = 0;
    ok(!continued_row_is(&a.table, &b.table, 1, 0),
       "a row is not the rest of a row without text above it");
    a.cells[10].n_blocks = 1;
    if (setjmp(arena.full))
        return;
    continued_row_join(&arena, &a.table, &b.table, 1);
    ok(a.cells[10].blocks->paragraph.n_runs == 2 && a.table.divided && a.cells[9].n_blocks == 1,
       "the text of a joined row is in the row above");
    arena_free(&arena);
}

static bool takes_caption(const char *said, int lines)
{
    char text[100];
    struct run run = { .text = text, .len = strlen(said) };
    struct glyph glyph = { 0 };
    struct word word = {
        .area = { 50, 90, 100, 102 }, .base = 100, .size = 10, .glyphs = &glyph, .n_glyphs = 1
    };
    struct block blocks[2] = {
        { .kind = BLOCK_PARAGRAPH,
          .paragraph = { .runs = &run,
                         .n_runs = 1,
                         .n_lines = (size_t) lines,
                         .area = { 50, 90, 100, 102 } } },
        { .kind = BLOCK_TABLE },
    };
    struct section section = { .n_columns = 1, .blocks = { .items = blocks, .n = 2 } };
    struct page page = { .sections = &section, .n_sections = 1, .words = &word, .n_words = 1 };
    bool taken;

    memcpy(text, said, strlen(said));
    continued_caption_remove(&page, false);
    taken = section.blocks.n == 1 && blocks[0].kind == BLOCK_TABLE && words_is_apart(&word);
    continued_caption_part(&page);
    return taken && section.blocks.n == 2 && blocks[0].kind == BLOCK_PARAGRAPH &&
           !words_is_apart(&word);
}

static void takes_captions(void)
{
    ok(takes_caption("Table 3 (continued)", 1),
       "a line that says that a table continues can be removed and put back");
    ok(takes_caption("Tabelle 3: Fortsetzung", 1),
       "a line in German that says so can be removed and put back");
    ok(!takes_caption("Table 3: the other one", 1), "another caption stays");
    ok(!takes_caption("It is continued by text", 2), "text above a table stays");
}

int main(void)
{
    decides();
    joins();
    joins_rows();
    takes_captions();
    return done_testing();
}
