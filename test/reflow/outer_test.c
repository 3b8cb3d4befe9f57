/* Text in the outer margin of facing pages. */
#include <math.h>

#include "book.h"
#include "tap.h"

#define WIDE 130 /* points: the outer margin */
#define SLIM 50

/* A page of paragraphs of ten lines, the text of which goes from `x` on; and three lines next to
 * it, which are `away` points from it. */
static void put_page(struct sheet *sheet, float away)
{
    bool left = sheet->number % 2;
    float x = left ? WIDE : SLIM;

    for (int i = 0; i < LINES; i++) {
        char text[] = "xx line of running text is as wide as its page lets it be, which is all it";

        text[0] = (char) ('a' + sheet->number);
        text[1] = (char) ('a' + i % 26);
        put_letters(sheet, x + (i % 10 ? 0 : 20), 100 + 12 * (float) i, 10,
                    text + (i % 10 ? 0 : 4));
    }
    x = left ? x - away - 45 : x + 5 * 74 + away;
    put_letters(sheet, x, 100, 10, "Some work");
    put_letters(sheet, x, 112, 10, "inventors");
    put_letters(sheet, x, 160, 10, "163");
}

static void begin(struct book *book, float away)
{
    *book = (struct book){ .n = PAGES };
    for (int i = 0; i < PAGES; i++) {
        book->sheets[i] = (struct sheet){ .number = (size_t) i,
                                          .width = SLIM + 5 * 74 + WIDE,
                                          .height = 800,
                                          .fonts = &font,
                                          .n_fonts = 1 };
        put_page(&book->sheets[i], away);
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

        is_int((int) page->n_turned, 3, "each line there has a box on page %d", i + 1);
        is_int((int) count_tabs(page), 0, "text in the margin of page %d is not in the text",
               i + 1);
        if (page->n_turned == 3)
            ok(i % 2 ? page->turned[0].x < WIDE : page->turned[0].x > SLIM + 5 * 74,
               "the text box is where the text was");
    }
    end(&book);
    begin(&book, 20);
    put_letters(
        &book.sheets[2], SLIM, 720, 10,
        "A line that goes on from the text far into what is the margin of all other pages of it");
    ok(understand(&book), "a page with a line that goes into the margin is understood");
    is_int((int) book.pages[2].n_turned, 0, "a page with a line in the margin has no text boxes");
    is_int((int) book.pages[4].n_turned, 3, "other pages have text boxes");
    end(&book);
    return done_testing();
}
