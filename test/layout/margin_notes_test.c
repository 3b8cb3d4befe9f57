/* Text in the outer margin of facing pages. */
#include <math.h>

#include "book.h"
#include "tap.h"

#define WIDE 130 /* points: the outer margin */
#define SLIM 50

/* A page of paragraphs of ten lines, the text of which goes from `x` on; and three lines next to
 * it, which are `away` points from it. */
static void put_page(struct page_content *content, float away)
{
    bool left = content->number % 2;
    float x = left ? WIDE : SLIM;

    for (int i = 0; i < LINES; i++) {
        char text[] = "xx line of running text is as wide as its page lets it be, which is all it";

        text[0] = (char) ('a' + content->number);
        text[1] = (char) ('a' + i % 26);
        put_letters(content, x + (i % 10 ? 0 : 20), 100 + 12 * (float) i, 10,
                    text + (i % 10 ? 0 : 4));
    }
    x = left ? x - away - 45 : x + 5 * 74 + away;
    put_letters(content, x, 100, 10, "Some work");
    put_letters(content, x, 112, 10, "inventors");
    put_letters(content, x, 160, 10, "163");
}

static void begin(struct book *book, float away)
{
    *book = (struct book){ .n = PAGES };
    for (int i = 0; i < PAGES; i++) {
        book->contents[i] = (struct page_content){ .number = (size_t) i,
                                                   .width = SLIM + 5 * 74 + WIDE,
                                                   .height = 800,
                                                   .fonts = &font,
                                                   .n_fonts = 1 };
        put_page(&book->contents[i], away);
    }
}

static size_t count_tabs(const struct page *page)
{
    size_t n = 0;

    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++)
            if (page->sections[i].blocks.items[k].kind == BLOCK_PARAGRAPH)
                n += page->sections[i].blocks.items[k].paragraph.n_tabs;
    return n;
}

int main(void)
{
    struct book book;

    begin(&book, 20);
    ok(understand(&book), "pages with text in their outer margins are understood");
    ok(book.survey.mirrored, "the margins of facing pages are mirrored");
    for (int i = 2; i < 4; i++) {
        const struct page *page = &book.pages[i];

        is_int((int) page->n_text_boxes, 3, "each line there has a box on page %d", i + 1);
        is_int((int) count_tabs(page), 0, "text in the margin of page %d is not in the text",
               i + 1);
        if (page->n_text_boxes == 3)
            ok(i % 2 ? page->text_boxes[0].x < WIDE : page->text_boxes[0].x > SLIM + 5 * 74,
               "the text box is where the text was");
    }
    end(&book);
    begin(&book, 20);
    put_letters(
        &book.contents[2], SLIM, 720, 10,
        "A line that goes on from the text far into what is the margin of all other pages of it");
    ok(understand(&book), "a page with a line that goes into the margin is understood");
    is_int((int) book.pages[2].n_text_boxes, 0,
           "a page with a line in the margin has no text boxes");
    is_int((int) book.pages[4].n_text_boxes, 3, "other pages have text boxes");
    end(&book);
    return done_testing();
}
