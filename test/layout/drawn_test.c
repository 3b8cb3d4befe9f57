/* What is drawn: charts with their words, text that is drawn twice, tables high on their pages. */
#include <math.h>
#include <stdlib.h>

#include "layout/page/duplicate_glyphs.h"
#include "tap.h"
#include "written.h"

static void fill(struct page_content *content, float x0, float y0, float x1, float y1)
{
    content->fills = realloc(content->fills, (content->n_fills + 1) * sizeof *content->fills);
    content->fills[content->n_fills++] =
        (struct fill){ .area = { x0, y0, x1, y1 }, .color = 0x336699 };
}

/* A page with room for what is drawn. */
static void begin_drawn(struct test_page *t)
{
    begin(t);
    t->content.pictures = calloc(20, sizeof *t->content.pictures);
}

/* A picture of nothing. */
static bool draw(void *hand, struct page_content *content, const struct area *area)
{
    (*(int *) hand)++;
    content->pictures[content->n_pictures++] =
        (struct page_picture){ .area = *area, .extension = "png" };
    return true;
}

static bool understand_drawn(struct test_page *t, void *drawn)
{
    return understand_as(t, (struct layout){ .drawer = { draw, drawn } });
}

/* The left column is text; in the right one there are bars with numbers below them, and text. */
static void put_chart(struct page_content *content, const char *label)
{
    for (int i = 0; i < 40; i++)
        put_letters(content, 50, 100 + 12 * (float) i, 10,
                    "the left column has running text in lines");
    for (int i = 0; i < 30; i++)
        put_letters(content, 320, 220 + 12 * (float) i, 10,
                    "and below the chart the right one has it");
    fill(content, 320, 180, 520, 181);
    for (int i = 0; i < 10; i++) {
        fill(content, 325 + 20 * (float) i, 110 + 6 * (float) i, 335 + 20 * (float) i, 180);
        if (i % 3 == 0)
            put_letters(content, 325 + 20 * (float) i, 190, 7, label);
    }
}

static void draws_charts(void)
{
    struct test_page t;
    const struct section *section;
    int drawn = 0;
    bool found = false;

    begin_drawn(&t);
    put_chart(&t.content, "2001");
    ok(understand_drawn(&t, &drawn), "a chart beside text is understood");
    is_int(drawn, 1, "a chart becomes one picture");
    is_str(drawn ? t.content.pictures[0].text : "", "2001 2001 2001 2001",
           "the picture of a chart has its words");
    section = &t.page.sections[t.page.n_sections - 1];
    is_int((int) section->n_columns, 2, "a page with a chart in a column has two columns");
    for (size_t i = 0; i < section->blocks.n; i++)
        found = found || section->blocks.items[i].kind == BLOCK_FIGURE;
    ok(found && !t.page.plain, "the picture of a chart is in its column");
    end(&t);
    begin_drawn(&t);
    drawn = 0;
    for (int i = 0; i < 10; i++) {
        fill(&t.content, 325, 110 + 14 * (float) i, 335, 120 + 14 * (float) i);
        put_letters(&t.content, 340, 118 + 14 * (float) i, 10, "what is said beside marks");
        put_letters(&t.content, 50, 118 + 14 * (float) i, 10, "and text in lines beside it");
    }
    ok(understand_drawn(&t, &drawn), "text with marks before its lines is understood");
    is_int(drawn, 0, "marks before lines are not a chart");
    end(&t);
    begin_drawn(&t);
    drawn = 0;
    put_chart(&t.content, "2001");
    fill(&t.content, 315, 60, 525, 182);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 3; k++)
            put_letters(&t.content, 330 + 60 * (float) k, 70 + 9 * (float) i, 8, "42.1");
    ok(understand_drawn(&t, &drawn), "a panel with bars and rows of figures is understood");
    is_int(drawn, 0, "rows of figures in a panel stay text");
    end(&t);
}

static void drops_second(void)
{
    struct test_page t;
    struct err err;

    begin_drawn(&t);
    put_letters(&t.content, 100, 100, 20, "The Title");
    put_letters(&t.content, 101, 101, 20, "The Title");
    put_letters(&t.content, 100, 150, 10, "little");
    t.content.glyphs[9].color = 0xff0000;
    is_int(duplicate_glyphs_drop(&t.content, &err), 0, "text that is drawn twice is found");
    is_int((int) t.content.n_glyphs, 9 + 6,
           "text that is drawn twice is kept once, and double letters stay");
    is_int((int) t.content.glyphs[0].color, 0xff0000,
           "text that is drawn twice has its last colour");
    end(&t);
}

static void keeps_height(void)
{
    struct test_page t;
    int drawn = 0;

    begin_drawn(&t);
    for (int i = 0; i < 3; i++)
        fill(&t.content, 50, 20 + 90 * (float) i, 550, 20.5F + 90 * (float) i);
    for (int i = 0; i < 3; i++)
        fill(&t.content, 50 + 250 * (float) i, 20, 50.5F + 250 * (float) i, 200);
    for (int i = 0; i < 4; i++)
        put_letters(&t.content, 60 + 250 * (float) (i % 2), i < 2 ? 100 : 190, 10,
                    "something in a cell");
    ok(understand_drawn(&t, &drawn), "a table that begins high on its page is understood");
    ok(t.page.margins.top < 22, "a table high on its page has a narrow margin above it");
    end(&t);
}

/* Boxes, with labels in them and at the edges of the page. */
static void put_diagram(struct page_content *content)
{
    for (int i = 0; i < 6; i++) {
        fill(content, 50 + 180 * (float) (i % 3), 100 + 300 * (float) (i / 3),
             150 + 180 * (float) (i % 3), 300 + 300 * (float) (i / 3));
        put_letters(content, 60 + 180 * (float) (i % 3), 200 + 300 * (float) (i / 3), 10,
                    "A block");
    }
    put_letters(content, 4, 400, 10, "left");
    put_letters(content, 578, 400, 10, "end");
    put_letters(content, 280, 796, 10, "below");
}

static void keeps_diagrams(void)
{
    struct test_page t;
    int drawn = 0;

    begin_drawn(&t);
    put_diagram(&t.content);
    ok(understand_drawn(&t, &drawn), "a page that is a diagram is understood");
    is_int((int) t.page.n_text_boxes, 9, "the labels of a diagram become text boxes");
    is_int((int) lrintf(t.page.text_boxes[t.page.n_text_boxes - 1].y), 793,
           "the text boxes of a diagram are at their places");
    end(&t);
    begin_drawn(&t);
    put_diagram(&t.content);
    put_letters(&t.content, 100, 350, 10, "aslant");
    for (size_t i = t.content.n_glyphs - 6; i < t.content.n_glyphs; i++) {
        t.content.glyphs[i].flags |= GLYPH_ROTATED;
        t.content.glyphs[i].angle = 0.3F;
    }
    ok(understand_drawn(&t, &drawn) && t.page.n_text_boxes == 0,
       "a diagram with a slanted word is not kept as text boxes");
    end(&t);
    begin_drawn(&t);
    put_diagram(&t.content);
    put_letters(&t.content, 100, 350, 10, "a line of text that says what this drawing has in it");
    ok(understand_drawn(&t, &drawn) && t.page.n_text_boxes == 0,
       "a page with running text is not a diagram");
    end(&t);
    begin_drawn(&t);
    for (int i = 0; i < 20; i++) {
        fill(&t.content, 5, 10 + 39 * (float) i, 595, 11 + 39 * (float) i);
        for (int k = 0; k < 4; k++)
            put_letters(&t.content, 8 + 185 * (float) k, 30 + 39 * (float) i, 10, "42.1");
    }
    ok(understand_drawn(&t, &drawn) && t.page.n_text_boxes == 0,
       "a table as large as the page is not a diagram");
    end(&t);
}

int main(void)
{
    draws_charts();
    drops_second();
    keeps_height();
    keeps_diagrams();
    return done_testing();
}
