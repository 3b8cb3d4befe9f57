/* What pages have to do with each other: headers and footers that change, text that goes on. */
#include <math.h>
#include <stdlib.h>

#include "book.h"
#include "layout/continuation/fit_to_page.h"
#include "tap.h"

static void put(struct page_content *content, float x, float base, const char *text)
{
    put_letters(content, x, base, 10, text);
}

/* Pages of full lines; `last`: how many the last one has. */
static void begin(struct book *book, float shift, int last)
{
    *book = (struct book){ .n = PAGES, .shift = shift };
    for (int i = 0; i < PAGES; i++) {
        struct page_content *content = &book->contents[i];

        *content = (struct page_content){
            .number = (size_t) i, .width = 500, .height = 800, .fonts = &font, .n_fonts = 1
        };
        for (int k = 0; k < (i + 1 < PAGES ? LINES : last); k++) {
            char text[] = "these are lines of text xx that are all as long as others";

            /* No line is on several pages, or it were a header. */
            text[24] = (char) ('a' + i);
            text[25] = (char) ('a' + k % 26);
            put(content, i % 2 ? 90 + shift : 90, 100 + 12 * (float) k,
                k % 10 == 9 ? text + sizeof text - 40 : text);
        }
    }
}

static void foot(struct book *book, int page, const char *text)
{
    put(&book->contents[page], page % 2 ? 90 + book->shift : 90, 760, text);
}

static const char *text_of(const struct block_list *list)
{
    static char text[8000];
    size_t n = 0;

    text[0] = '\0';
    for (size_t b = 0; b < list->n; b++)
        for (size_t i = 0; i < list->items[b].paragraph.n_runs; i++)
            n += (size_t) snprintf(text + n, sizeof text - n, "%s",
                                   list->items[b].paragraph.runs[i].text);
    return text;
}

static void changes_footers(void)
{
    struct book book;
    char text[100];

    begin(&book, 0, LINES);
    for (int i = 0; i < PAGES; i++) {
        snprintf(text, sizeof text, i < 4 ? "%d One" : "%d Other", i + 11);
        if (i == 4)
            snprintf(text, sizeof text, "15");
        if (i != 3)
            foot(&book, i, text);
    }
    put(&book.contents[1], 90, 40, "number 123456789012345678901234567890");
    ok(understand(&book), "pages with footers that change are understood");
    is_int(book.survey.running.n_bases, 1, "there is one place of footers");
    is_int((int) book.headers.n, 2, "a footer with other words is one of its own");
    is_int((int) book.pages[2].header_set, 0, "pages have the one they had");
    is_int((int) book.pages[6].header_set, 1, "or the next");
    is_int(book.pages[6].number, 17, "and their number");
    ok(book.pages[3].no_header && !book.pages[2].no_header, "a page without one is bare");
    ok(book.pages[4].only_number && !book.pages[5].only_number, "a number alone is another matter");
    is_str(text_of(&book.headers.items[1].foot[1]), "16 Other", "its words are in it");
    is_int(book.pages[2].after, TRANSITION_BREAK, "before a page with another there is a break");
    ok(fabsf(book.survey.bottom - (800 - 100 - 49 * 12)) < 5, "the text's end is above it");
    end(&book);
}

/* Headers without page numbers: the title of the chapter, or of the book on left pages. */
static void changes_titles(bool mirrored)
{
    struct book book;

    begin(&book, 0, LINES);
    for (int i = 0; i < PAGES; i++)
        put(&book.contents[i], 90, 60,
            mirrored && i % 2 ? "A Book"
            : i < 3           ? "The First Chapter"
                              : "Another One");
    ok(understand(&book), "pages with the titles of their chapters above are understood");
    is_int((int) book.headers.n, 2, "each chapter has a header of its own");
    is_int((int) book.pages[2].header_set, 0, "pages have that of their chapter");
    is_int((int) book.pages[6].header_set, 1, "or the next");
    is_str(text_of(&book.headers.items[1].head[0]), "Another One", "its words are in it");
    ok(strncmp(text_of(&book.pages[6].sections[0].blocks), "these are", 9) == 0,
       "and not in the text");
    end(&book);
}

/* Lines at one place that say something else on each page are its text. */
static void keeps_first_lines(void)
{
    static const char *const lines[] = { "On bridges", "On ferries", "On mills",  "On tunnels",
                                         "On castles", "On stables", "On towers", "On valleys" };
    struct book book;

    begin(&book, 0, LINES);
    for (int i = 0; i < PAGES; i++)
        put(&book.contents[i], 90, 60, lines[i]);
    ok(understand(&book), "pages that begin with a line of their own are understood");
    is_int((int) book.headers.n, 0, "it is not a header");
    end(&book);
}

static void numbers_alone(void)
{
    struct book book;
    char text[12];

    begin(&book, 0, LINES);
    for (int i = 0; i < PAGES; i++) {
        snprintf(text, sizeof text, "%d", i + 1);
        foot(&book, i, text);
    }
    ok(understand(&book), "pages with their numbers and no more are understood");
    ok(!book.pages[3].only_number && book.pages[3].header_set == 0, "that is the footer of all");
    is_int(book.pages[3].after, TRANSITION_FLOW, "with which text goes over from page to page");
    end(&book);
}

/* A footer is at one place from the lower edge, also of a page of another height. */
static void heights_differ(bool counts)
{
    struct book book;
    char text[40];

    begin(&book, 0, LINES);
    for (int i = 0; i < PAGES; i++) {
        bool high = i == 3;

        snprintf(text, sizeof text, counts ? "The mill %d" : "The handbook of a mill", i + 1);
        book.contents[i].height = high ? 900 : 800;
        put(&book.contents[i], 90, high ? 860 : 760, text);
    }
    ok(understand(&book), "pages of two heights are understood");
    ok(book.pages[3].header_set == 0 && book.headers.n == 1 &&
           !strstr(text_of(&book.pages[3].sections[0].blocks), "mill"),
       "the footer of a higher page is that of the others");
    end(&book);
}

/* Page numbers of an excerpt, in which a page is missing. */
static void numbers_jump(void)
{
    const struct paragraph *footer;
    struct book book;
    char text[12];

    begin(&book, 0, LINES);
    for (int i = 0; i < PAGES; i++) {
        snprintf(text, sizeof text, "%d", i == PAGES - 1 ? i + 2 : i + 1);
        foot(&book, i, text);
    }
    ok(understand(&book), "a document with a missing page is understood");
    footer = &book.headers.items[0].foot[0].items[0].paragraph;
    ok(footer->n_runs == 1 && footer->runs[0].style.number, "their numbers are fields");
    is_int(book.pages[PAGES - 1].number, PAGES + 1, "and the last page has its own");
    end(&book);
}

/* A header that ends with a number, and the page's number after it. */
static void numbers_after_numbers(void)
{
    const struct paragraph *head;
    struct book book;
    char text[12];
    size_t fields = 0;

    begin(&book, 0, LINES);
    for (int i = 0; i < PAGES; i++) {
        snprintf(text, sizeof text, "%d", i + 58);
        put(&book.contents[i], 90, 60, "Letters 58-65");
        put(&book.contents[i], 400, 60, text);
    }
    ok(understand(&book), "pages with a number before their own are understood");
    is_int(book.pages[3].number, 61, "their number is the last one");
    head = &book.headers.items[0].head[0].items[0].paragraph;
    for (size_t i = 0; i < head->n_runs; i++)
        fields += head->runs[i].style.number;
    is_int((int) fields, 1, "and there is one field for it");
    end(&book);
}

static void counts_pages_not_numbers(void)
{
    static const char *const lines[] = { "page 3 of it", "of 2012", "4", "in 1999 and 7",
                                         "5 or 6",       "no",      "1", "2 and 31" };
    struct book book;

    begin(&book, 0, LINES);
    for (int i = 0; i < PAGES; i++)
        foot(&book, i, lines[i]);
    ok(understand(&book), "pages that end with numbers are understood");
    is_int(book.survey.running.n_bases, 0, "which are no footers where they do not count");
    end(&book);
}

static void goes_on(void)
{
    struct book book;

    begin(&book, 20, 9);
    ok(understand(&book), "pages of facing margins are understood");
    ok(book.survey.mirrored, "they are mirrored");
    ok(fabsf(book.pages[1].margins.left - book.pages[0].margins.left - 20) < 1.5F,
       "each has its margin");
    ok(fabsf(book.pages[1].margins.left - book.pages[0].margins.right) < 0.1F,
       "which the other one has on its other side");
    is_int(book.pages[0].after, TRANSITION_FLOW,
           "where a full page ends with a paragraph is no break");
    is_int(book.pages[6].after, TRANSITION_FLOW, "and none before the last one");
    end(&book);
    begin(&book, 20, 9);
    /* The pages end within paragraphs. */
    for (int i = 0; i < PAGES; i++) {
        char over[] = "x this is a line of text that goes on until the next bro-",
             after[] = "ken line x of the page that comes after it and so on";

        over[0] = after[9] = (char) ('a' + i);
        put(&book.contents[i], i % 2 ? 110 : 90, 100 + 12 * LINES, over);
        put(&book.contents[i], i % 2 ? 110 : 90, 88, after);
    }
    ok(understand(&book), "pages that end within paragraphs are understood");
    is_int(book.pages[0].after, TRANSITION_SAME, "they go on");
    is_int(book.pages[1].before, TRANSITION_SAME, "on the next page");
    ok(strstr(text_of(&book.pages[0].sections[0].blocks), "next bro\xc2\xad"),
       "and so does a word that was broken");
    end(&book);
}

static void ends_early(void)
{
    struct book book;
    int n = 0;

    begin(&book, 0, 9);
    /* The third page is one of few lines. */
    while (book.contents[2].glyphs[n].base < 400)
        n++;
    book.contents[2].n_glyphs = (size_t) n;
    ok(understand(&book), "a page that ends early is understood");
    is_int(book.pages[2].after, TRANSITION_BREAK, "there is a break behind it");
    is_int(book.pages[1].after, TRANSITION_FLOW, "and none before it");
    end(&book);
}

static void squeezes_lines(void)
{
    struct block blocks[2] = { { .paragraph = { .before = 10, .line = 12, .n_lines = 10 } },
                               { .paragraph = { .before = 0, .line = 12, .n_lines = 10 } } };
    struct section section = { .n_columns = 1, .blocks = { .items = blocks, .n = 2 } };
    struct page page = { .sections = &section, .n_sections = 1, .end = 250 };

    blocks[0].paragraph.head.size = blocks[1].paragraph.head.size = 10;
    fit_to_page(&page, 230);
    ok(blocks[0].paragraph.before < 0.01F && fabsf(blocks[0].paragraph.line - 11.5F) < 0.01F,
       "where white is not enough, lines of text go nearer to each other");
    ok(fabsf(page.end - 230) < 0.01F, "and the page ends where it can");
    fit_to_page(&page, 100);
    ok(fabsf(blocks[1].paragraph.line - 10.5F) < 0.01F, "their letters are not cut off either");
}

static void squeezes_rows(void)
{
    struct block inside = { .paragraph = { .line = 12, .n_lines = 2 } };
    struct cell cells[2] = { { .rows = 1, .columns = 1, .blocks = &inside, .n_blocks = 1 },
                             { .row = 1, .rows = 1, .columns = 1 } };
    float heights[2] = { 300, 500 };
    struct block block = { .kind = BLOCK_TABLE,
                           .table = {
                               .heights = heights, .n_rows = 2, .cells = cells, .n_cells = 2 } };
    struct section section = { .n_columns = 1, .blocks = { .items = &block, .n = 1 } };
    struct page page = { .sections = &section, .n_sections = 1, .end = 800 };

    fit_to_page(&page, 760);
    ok(fabsf(heights[0] + heights[1] - 760) < 0.1F, "a table that frames the page goes onto it");
    fit_to_page(&page, 10);
    ok(heights[0] > 24, "but its rows hold what is in them");
}

static void squeezes(void)
{
    struct block inside[2] = { { .paragraph = { .before = 6, .line = 12, .n_lines = 1 } },
                               { .paragraph = { .before = 4, .line = 12, .n_lines = 2 } } };
    struct cell cell = { .rows = 1, .columns = 1, .blocks = inside, .n_blocks = 2 };
    float height = 40;
    struct block blocks[3] = { { .paragraph = { .before = 30, .line = 12, .n_lines = 10 } },
                               { .kind = BLOCK_TABLE,
                                 .table = { .before = 10,
                                            .heights = &height,
                                            .n_rows = 1,
                                            .cells = &cell,
                                            .n_cells = 1 } },
                               { .paragraph = { .before = 0, .line = 12, .n_lines = 1 } } };
    struct section section = { .n_columns = 1, .blocks = { .items = blocks, .n = 3 } };
    struct page page = { .sections = &section, .n_sections = 1, .end = 212 };

    inside[0].paragraph.head.size = inside[1].paragraph.head.size = 10;
    fit_to_page(&page, 212);
    ok(blocks[0].paragraph.before == 30 && blocks[1].table.before == 10,
       "a page that has room stays as it is");
    ok(fabsf(inside[0].paragraph.before + inside[1].paragraph.before - 4) < 0.01F,
       "what is in a cell has the white there is room for");
    is_int((int) inside[0].paragraph.line, 12, "and lines as high as they were");
    fit_to_page(&page, 192);
    ok(fabsf(blocks[0].paragraph.before - 15) < 0.01F && fabsf(blocks[1].table.before - 5) < 0.01F,
       "white goes until what is on a page fits");
    ok(fabsf(page.end - 192) < 0.01F, "and it ends where it can");
    height = 33;
    fit_to_page(&page, 192);
    ok(inside[0].paragraph.before < 0.01F && fabsf(inside[0].paragraph.line - 11) < 0.01F,
       "lines go nearer to each other if no white is left");
    height = 20;
    fit_to_page(&page, 100);
    ok(fabsf(inside[0].paragraph.line - 10.5F) < 0.01F, "but letters are not cut off");
}

/* Two pages, of which the second has lines that are narrower than those of the first. */
static void begin_narrow(struct book *book, const char *const *lines, int n)
{
    *book = (struct book){ .n = 2 };
    for (int i = 0; i < 2; i++)
        book->contents[i] = (struct page_content){
            .number = (size_t) i, .width = 500, .height = 800, .fonts = &font, .n_fonts = 1
        };
    for (int k = 0; k < 12; k++)
        put(&book->contents[0], 90, 100 + 12 * (float) k,
            "these are lines of text that are all as long as others, nearly");
    for (int k = 0; k < n; k++)
        put(&book->contents[1], 90, 100 + 12 * (float) k, lines[k]);
}

/* The last page of a document in columns has only the left one. */
static void ends_narrow(void)
{
    static const char *const text[] = { "text in a column that", "is narrow goes on with",
                                        "more of it that fills", "lines as far as others",
                                        "do, and then it ends",  "here." };
    static const char *const names[] = { "A name of someone", "1 Short Street", "Town",
                                         "A name of another", "2 Short Street", "Town" };
    struct book book;

    begin_narrow(&book, text, 6);
    ok(understand(&book), "a last page with a narrow column is understood");
    is_int((int) book.pages[1].sections[0].blocks.n, 1, "its lines are a paragraph");
    end(&book);
    begin_narrow(&book, names, 6);
    ok(understand(&book) && book.pages[1].sections[0].blocks.n == 6,
       "lines that are not full are not");
    end(&book);
}

int main(void)
{
    ends_narrow();
    changes_footers();
    changes_titles(false);
    changes_titles(true);
    keeps_first_lines();
    numbers_alone();
    heights_differ(false);
    heights_differ(true);
    numbers_after_numbers();
    numbers_jump();
    counts_pages_not_numbers();
    goes_on();
    ends_early();
    squeezes();
    squeezes_rows();
    squeezes_lines();
    return done_testing();
}
