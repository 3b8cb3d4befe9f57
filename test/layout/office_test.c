/* Pages as word processors make them: margins, leaders, lines beside each other, Hebrew and Arabic.
 */
#include <math.h>

#include "tap.h"
#include "written.h"

/* Letters of a font that documents have, too. */
static void measure(struct test_page *t)
{
    for (size_t i = 0; i < t->content.n_glyphs; i++)
        t->content.glyphs[i].width = t->content.glyphs[i].x1 - t->content.glyphs[i].x0;
}

/* Characters beyond ASCII, each half as wide as it is high, but for those in `narrow`. */
static void put_codes(struct test_page *t, float x, float base, const uint32_t *codes, size_t n,
                      uint32_t narrow)
{
    put(t, x, base, "x");
    t->content.n_glyphs--;
    for (size_t i = 0; i < n; i++) {
        put(t, x, base, "x");
        struct glyph *glyph = &t->content.glyphs[t->content.n_glyphs - 1];

        glyph->code = codes[i];
        glyph->flags = i == 0 ? GLYPH_FIRST : 0;
        if (codes[i] == ' ')
            glyph->flags |= GLYPH_SPACE;
        if (codes[i] == narrow) {
            glyph->x1 = glyph->x0;
            glyph->flags |= GLYPH_MORE;
        }
        x = glyph->x1;
    }
}

static void leads_to_pages(void)
{
    struct test_page t;
    const struct paragraph *p;

    begin(&t);
    put(&t, 100, 100, "1 Introduction......................................1");
    put(&t, 100, 112, "2 What was found. . . . . . . . . . . . . . . . . .12");
    put(&t, 100, 124, "He said..... and went on with what he had said before");
    ok(understand(&t), "a table of contents is understood");
    is_int((int) t.page.sections[0].blocks.n, 3,
           "each entry of a table of contents is a paragraph");
    p = &block(&t, 0, 0)->paragraph;
    is_str(text_of(block(&t, 0, 0)), "1 Introduction\t1", "leader dots become a tab");
    ok(p->n_tabs == 1 && p->tabs[0].dots && p->tabs[0].align == ALIGN_RIGHT,
       "the tab of leader dots is filled with dots, up to the right edge");
    is_str(text_of(block(&t, 0, 1)), "2 What was found\t12",
           "leader dots with spaces become a tab");
    ok(strstr(text_of(block(&t, 0, 2)), "....."), "dots in the midst of a sentence stay");
    end(&t);
}

static void keeps_lines_apart(void)
{
    struct test_page t;
    const struct paragraph *p;

    begin(&t);
    put(&t, 100, 100, "Hollander & Sons");
    put(&t, 100, 113, "14 Mill Lane");
    put(&t, 100, 126, "Cambridge");
    put_at(&t, 400, 110, 26, "INVOICE");
    for (int i = 0; i < 4; i++)
        put(&t, 100, 200 + 12 * (float) i,
            "and then there is the text, in lines that are full ones");
    ok(understand(&t), "small lines beside a large one are understood");
    is_str(text_of(block(&t, 0, 0)), "Hollander & Sons",
           "a small line above a large one stays whole");
    p = &block(&t, 0, 1)->paragraph;
    is_str(text_of(block(&t, 0, 1)), "14 Mill Lane\tINVOICE",
           "a small line beside a large one stays whole");
    ok(p->runs[0].style.script == SCRIPT_NONE,
       "a small line beside a large one is not a subscript");
    end(&t);
}

static void reads_backwards(void)
{
    /* As it is drawn, from the left: a full stop, 2024, two words. */
    static const uint32_t hebrew[] = { 0x5d0, 0x5d1, ' ', 0x5d2, 0x5d3, 0x5d4, 0x5d5 };
    /* Lam and alef are one glyph, whose characters are in their order. */
    static const uint32_t arabic[] = { 0x645, 0x644, 0x627, 0x633 };
    struct test_page t;

    begin(&t);
    put_codes(&t, 225, 100, hebrew, 7, 0);
    put(&t, 200, 100, "2024");
    put(&t, 195, 100, ".");
    /* All of them are of one line of the file. */
    for (size_t i = 1; i < t.content.n_glyphs; i++)
        t.content.glyphs[i].flags &= (uint16_t) ~GLYPH_FIRST;
    ok(understand(&t), "a line of Hebrew is understood");
    is_str(text_of(block(&t, 0, 0)), "\u05d5\u05d4\u05d3\u05d2 \u05d1\u05d0 2024.",
           "Hebrew is read from the right, and its number from the left");
    end(&t);
    begin(&t);
    put_codes(&t, 225, 100, arabic, 4, 0x627);
    ok(understand(&t), "a word of Arabic is understood");
    is_str(text_of(block(&t, 0, 0)), "\u0633\u0644\u0627\u0645",
           "letters of one glyph keep their order");
    end(&t);
}

/* Word processors draw the spaces of a line in another font, before its letters. */
static void divides_hebrew(void)
{
    static const uint32_t letters[] = { 0x5d0, 0x5d1, 0x5d2 };
    struct test_page t;

    begin(&t);
    put_codes(&t, 200, 100, letters, 3, 0);
    put_codes(&t, 217.5F, 100, letters, 2, 0);
    for (size_t i = 1; i < t.content.n_glyphs; i++)
        t.content.glyphs[i].flags &= (uint16_t) ~GLYPH_FIRST;
    ok(understand(&t), "a line of Hebrew without spaces is understood");
    is_str(text_of(block(&t, 0, 0)), "\u05d1\u05d0 \u05d2\u05d1\u05d0",
           "white space between letters divides words");
    end(&t);
}

static void finds_margins(void)
{
    struct test_page t;
    const struct paragraph *p;

    begin(&t);
    for (int i = 0; i < 4; i++) {
        put(&t, 100.3F, 200 + 50 * (float) i,
            "These lines end before the margin does, as long words that would follow");
        put(&t, 100.3F, 212 + 50 * (float) i,
            "everywhere would have gone over it; since nobody filled them or justified");
        put(&t, 100.3F, 224 + 50 * (float) i, "therefore they have ends that are not even.");
    }
    measure(&t);
    put(&t, 50, 30,
        "A header that is wider than the text, from here to the very other side of the");
    ok(understand(&t), "a page of uneven lines is understood");
    ok(fabsf(t.page.margins.left - 100.3F) < 0.05F, "the left margin is where the lines begin");
    ok(fabsf(t.page.margins.right - 100.3F) < 0.05F, "the right margin is as wide as the left one");
    p = &block(&t, 0, 0)->paragraph;
    ok(p->left == 0 && p->right == 0 && p->first == 0, "no paragraph has an indent");
    end(&t);
}

static void joins_what_goes_on(void)
{
    struct test_page t;

    begin(&t);
    for (int i = 0; i < 5; i++)
        put(&t, 100, 100 + 12 * (float) i,
            "Lines of the usual kind, of which the page has the most");
    put(&t, 100, 180, "These are twice as far from each other and this one is");
    put(&t, 100, 204, "full, so that what follows it is of the same paragraph");
    put(&t, 100, 228, "up to here.");
    ok(understand(&t), "a paragraph with more room between its lines is understood");
    ok(strstr(text_of(block(&t, 0, t.page.sections[0].blocks.n - 1)), "This") == NULL &&
           strstr(text_of(block(&t, 0, t.page.sections[0].blocks.n - 1)), "These are twice") &&
           strstr(text_of(block(&t, 0, t.page.sections[0].blocks.n - 1)), "up to here"),
       "a paragraph with wide leading is one paragraph");
    end(&t);

    begin(&t);
    put(&t, 100, 100, "Lines of the usual kind, of which the page has the most of all");
    put(&t, 100, 112, "and this.");
    put(&t, 130, 140, "A quotation is indented on both of its sides, so");
    put(&t, 130, 152, "that its lines end before others do, since their");
    put(&t, 130, 164, "words went over, and it is a single paragraph of");
    put(&t, 130, 176, "several lines.");
    ok(understand(&t), "a quotation is understood");
    is_int((int) t.page.sections[0].blocks.n, 2, "a quotation is one paragraph");
    end(&t);

    begin(&t);
    put(&t, 100, 100, "Author, A. The title of what she wrote, in a Journal of");
    put(&t, 136, 112, "Archives, vol. 3, 2019.");
    put(&t, 100, 124, "Writer, B. Another title, that is as long as the other,");
    put(&t, 136, 136, "in the same place.");
    ok(understand(&t), "a bibliography is understood");
    is_int((int) t.page.sections[0].blocks.n, 2, "each entry is a paragraph");
    ok(block(&t, 0, 1)->paragraph.first < -30, "entries of a bibliography have hanging indents");
    end(&t);
}

static void aligns_paragraphs(void)
{
    struct test_page t;

    begin(&t);
    for (int i = 0; i < 4; i++)
        put(&t, 100, 60 + 12 * (float) i,
            "Lines from one edge of the text to its other edge, all of it");
    put(&t, 120, 140, "What stands on the right has lines with one right edge, even");
    put(&t, 155, 152, "where it takes more than one of them until the right edge");
    put(&t, 300, 164, "where its end is to be.");
    for (size_t i = 0; i < t.content.n_glyphs; i++) {
        struct glyph *glyph = &t.content.glyphs[i];
        /* To the right edge, at 400. */
        float move = glyph->base == 140 ? -20 : glyph->base == 152 ? -40 : -15;

        if (glyph->base > 130) {
            glyph->x0 += move;
            glyph->x1 += move;
        }
    }
    ok(understand(&t), "text at the right edge is understood");
    is_int(block(&t, 0, t.page.sections[0].blocks.n - 1)->paragraph.align, ALIGN_RIGHT,
           "text at the right edge is a paragraph that is aligned on the right");
    end(&t);

    begin(&t);
    put(&t, 120, 100, "An indented first line that is as far from here, so the");
    put(&t, 100, 112, "next has the same middle as this one does, by chance, as so on");
    put(&t, 100, 124, "it goes.");
    ok(understand(&t), "an indented line with the middle of the next is understood");
    is_int(block(&t, 0, 0)->paragraph.align, ALIGN_LEFT,
           "an indented line with the middle of the next is not centred");
    end(&t);
}

static void draws_bullets(void)
{
    struct test_page t;
    struct drawing dots[] = { { .area = { 84, 95, 88, 99 } }, { .area = { 84, 107, 88, 111 } } };

    begin(&t);
    put(&t, 96, 100, "the first");
    put(&t, 96, 112, "the second");
    t.content.drawings = malloc(sizeof dots);
    memcpy(t.content.drawings, dots, sizeof dots);
    t.content.n_drawings = 2;
    ok(understand(&t), "dots drawn before lines are understood");
    is_int(block(&t, 0, 1)->paragraph.list, 1, "lines after dots are items of a list");
    is_int((int) t.content.n_drawings, 0, "dots before lines are not pictures");
    end(&t);
    begin(&t);
    put(&t, 96, 100, "the name");
    dots[1].area = (struct area){ 70, 88, 90, 104 };
    t.content.drawings = malloc(sizeof dots);
    memcpy(t.content.drawings, dots, sizeof dots);
    t.content.n_drawings = 2;
    ok(understand(&t), "a dot that is a part of a larger drawing is understood");
    is_int(block(&t, 0, 0)->paragraph.list, 0, "text after a part of a drawing is not in a list");
    is_int((int) t.content.n_drawings, 2, "the drawing with the dot is complete");
    end(&t);
}

static void dresses_tables(void)
{
    static const char *const rows[4][3] = {
        { "Item", "2021", "2022" },
        { "Income", "1,038", "12,039" },
        { "Costs", "75", "4,076" },
        { "Rent", "3,112", "113" },
    };
    struct test_page t;
    const struct table *table;

    begin(&t);
    for (int r = 0; r < 4; r++) {
        /* Numbers end at 300 and at 450. */
        put(&t, 100, 100 + 26 * (float) r, rows[r][0]);
        put(&t, 300 - 5 * (float) strlen(rows[r][1]), 100 + 26 * (float) r, rows[r][1]);
        put(&t, 450 - 5 * (float) strlen(rows[r][2]), 100 + 26 * (float) r, rows[r][2]);
        rule(&t, 94, 108 + 26 * (float) r, 456, 108 + 26 * (float) r);
    }
    ok(understand(&t), "a table with lines across alone is understood");
    ok(block(&t, 0, 0)->kind == BLOCK_TABLE, "rows with lines across are a table");
    table = &block(&t, 0, 0)->table;
    ok(table->n_rows == 4 && table->n_columns == 3, "the table has four rows and three columns");
    ok(table->cells[0].bottom.width > 0 && table->cells[0].left.width <= 0,
       "the rows have lines below, and none beside");
    ok(fabsf(table->area.x0 - 94) < 1 && fabsf(table->area.x1 - 456) < 1,
       "the table is as wide as its lines");
    is_int(table->cells[4].blocks[0].paragraph.align, ALIGN_RIGHT,
           "numbers in cells are aligned on the right");
    ok(fabsf(table->cells[3].blocks[0].paragraph.left) < 0.1F,
       "text in a cell begins at the cell's edge");
    end(&t);
}

static void leaves_cells_plain(void)
{
    struct test_page t;
    const struct paragraph *p;

    begin(&t);
    for (int i = 0; i < 3; i++) {
        rule(&t, 100, 100 + 20 * (float) i, 400, 100 + 20 * (float) i);
        rule(&t, 100 + 150 * (float) i, 100, 100 + 150 * (float) i, 140);
    }
    rule(&t, 100, 100, 400, 120);
    t.content.fills[t.content.n_fills - 1].color = 0xd9e2f3;
    for (int i = 0; i < 4; i++)
        put(&t, 106 + 150 * (float) (i % 2), i < 2 ? 114 : 134, "a cell");
    ok(understand(&t) && block(&t, 0, 0)->kind == BLOCK_TABLE, "a shaded row is understood");
    is_int((int) block(&t, 0, 0)->table.cells[0].shade, 0xd9e2f3,
           "the cells of a shaded row have its colour");
    p = &block(&t, 0, 0)->table.cells[0].blocks[0].paragraph;
    ok(p->shade == STYLE_PLAIN && p->runs[0].style.highlight == STYLE_PLAIN && p->left >= 0,
       "the text of a shaded cell has no colour of its own");
    end(&t);
}

static void draws_once(void)
{
    struct test_page t;
    size_t left = 0;

    begin(&t);
    put(&t, 100, 100, "EXPERIENCE");
    put(&t, 100, 130, "Lines from one edge of the text to its other edge, all of it");
    rule(&t, 100, 104, 400, 104);
    rule(&t, 100, 104, 400, 104);
    ok(understand(&t), "a line below a heading that is drawn twice is understood");
    for (size_t i = 0; i < t.content.n_fills; i++)
        left += !t.content.fills[i].claimed_by;
    ok(block(&t, 0, 0)->paragraph.boxed.border.width > 0,
       "a line that is drawn twice is the heading's border");
    is_int((int) left, 0, "a line that is drawn twice is not a picture");
    end(&t);
}

static void takes_initials(void)
{
    struct test_page t;

    begin(&t);
    put_at(&t, 100, 124, 36, "T");
    put(&t, 120, 100, "he paragraph begins with a letter as high as three lines");
    put(&t, 120, 112, "of it, which stand to its right, and then it goes on as it");
    put(&t, 120, 124, "would have done without that, from the left edge to the");
    put(&t, 100, 136, "right one, and it is one paragraph all the same, up to the end");
    put(&t, 100, 148, "of it.");
    ok(understand(&t), "a paragraph with a large initial is understood");
    is_int((int) t.page.sections[0].blocks.n, 1, "a paragraph with an initial is one paragraph");
    ok(strncmp(text_of(block(&t, 0, 0)), "The paragraph begins", 20) == 0 &&
           strstr(text_of(block(&t, 0, 0)), "without that, from the left edge to the right one"),
       "a paragraph with an initial begins with its whole first word");
    is_int((int) block(&t, 0, 0)->paragraph.heading, 0,
           "a paragraph with an initial is not a heading");
    end(&t);
}

static void sets_tabs(void)
{
    struct test_page t;
    const struct paragraph *p;

    begin(&t);
    for (int i = 0; i < 5; i++)
        put(&t, 100, 200 + 12 * (float) i,
            "Lines from one edge of the text to its other edge, all of it");
    put(&t, 100, 100, "Records Office, Oxford");
    put(&t, 345, 100, "2018 - 2024");
    put(&t, 100, 130, "left of it");
    put(&t, 230, 130, "in between");
    put(&t, 360, 130, "or right");
    ok(understand(&t), "lines with tabs are understood");
    p = &block(&t, 0, 0)->paragraph;
    ok(p->n_tabs == 1 && p->tabs[0].align == ALIGN_RIGHT, "what ends at the edge has a right tab");
    is_str(text_of(block(&t, 0, 0)), "Records Office, Oxford\t2018 - 2024",
           "text before a right tab stays whole");
    end(&t);
}

int main(void)
{
    leads_to_pages();
    keeps_lines_apart();
    reads_backwards();
    divides_hebrew();
    finds_margins();
    joins_what_goes_on();
    aligns_paragraphs();
    draws_bullets();
    dresses_tables();
    leaves_cells_plain();
    sets_tabs();
    draws_once();
    takes_initials();
    return done_testing();
}
