/* What stands at the end of a page and is referred to by marks in its text: footnotes. */
#include <stdio.h>

#include "book.h"
#include "layout/continuation/footnotes.h"
#include "tap.h"

#define PAGES_HERE 3
#define TEXT_END   600

/* Full lines down to TEXT_END, none of which is on two pages. */
static void begin(struct book *book)
{
    *book = (struct book){ .n = PAGES_HERE };
    for (int i = 0; i < PAGES_HERE; i++) {
        struct page_content *content = &book->contents[i];

        *content = (struct page_content){
            .number = (size_t) i, .width = 500, .height = 800, .fonts = &font, .n_fonts = 1
        };
        for (int k = 0; 100 + 12 * k <= TEXT_END; k++) {
            char text[] = "these are lines of text xx that are all as long as others";

            text[24] = (char) ('a' + i);
            text[25] = (char) ('a' + k % 26);
            put_letters(content, 90, 100 + 12 * (float) k, 10, text);
        }
    }
}

/* A raised mark behind the line whose number it is. */
static void refer(struct book *book, int page, int line, const char *mark)
{
    put_letters(&book->contents[page], 90 + 57 * 5, 96 + 12 * (float) line, 6, mark);
}

/* A line of a note; a mark that is raised, or NULL. */
static void note(struct book *book, int page, float base, const char *mark, const char *text)
{
    if (mark)
        put_letters(&book->contents[page], 90, base - 3, 5, mark);
    put_letters(&book->contents[page], mark ? 96 : 90, base, 8, text);
}

static void rule(struct book *book, int page)
{
    struct page_content *content = &book->contents[page];

    content->fills = realloc(content->fills, (content->n_fills + 1) * sizeof *content->fills);
    content->fills[content->n_fills++] = (struct fill){ .area = { 90, 620, 190, 620.5F } };
}

/* The n-th reference of a page; NULL: there are fewer. */
static const struct footnote *referred(const struct page *page, int n)
{
    const struct section *section = &page->sections[0];

    for (size_t b = 0; page->n_sections && b < section->blocks.n; b++) {
        const struct paragraph *p = &section->blocks.items[b].paragraph;

        for (size_t i = 0; section->blocks.items[b].kind == BLOCK_PARAGRAPH && i < p->n_runs; i++)
            if (p->runs[i].footnote && n-- == 0)
                return p->runs[i].footnote;
    }
    return NULL;
}

static const char *text_of(const struct footnote *note)
{
    static char text[2000];
    size_t n = 0;

    text[0] = '\0';
    for (size_t k = 0; note && k < note->n_paragraphs; k++)
        for (size_t i = 0; i < note->paragraphs[k].n_runs; i++)
            n += (size_t) snprintf(text + n, sizeof text - n, "%s%s", k && i == 0 ? "|" : "",
                                   note->paragraphs[k].runs[i].text);
    return text;
}

static void takes_notes(void)
{
    struct book book;

    begin(&book);
    refer(&book, 0, 4, "1");
    refer(&book, 0, 20, "2");
    rule(&book, 0);
    note(&book, 0, 640, "1", "The first note, which is all of one line.");
    note(&book, 0, 650, "2",
         "The second note, which goes on in another line than its first, as it");
    note(&book, 0, 660, NULL, "does.");
    ok(understand(&book), "a page with notes is understood");
    is_str(text_of(referred(&book.pages[0], 0)), "1 The first note, which is all of one line.",
           "the first mark refers to the first note");
    is_str(text_of(referred(&book.pages[0], 1)),
           "2 The second note, which goes on in another line than its first, as it does.",
           "the second mark refers to the second note");
    ok(!referred(&book.pages[0], 2), "there are no more references than notes");
    is_int(book.pages[0].notes.first, 1, "the number of the first note is known");
    is_int((int) book.pages[0].sections[0].blocks.n, 1, "notes are removed from the text");
    ok(book.contents[0].fills[0].claimed_by == OWNER_TEXT && book.pages[0].notes.ruled,
       "the line above the notes is removed");
    is_int(book.pages[0].after, TRANSITION_SAME, "the text continues past the notes");
    end(&book);
}

/* A fraction whose line is in the line of text of that number, behind its words. */
static void put_fraction(struct book *book, int page, int line)
{
    struct page_content *content = &book->contents[page];
    float x = 90 + 57 * 5 + 3, base = 100 + 12 * (float) line, y = base - 2.6F;

    put_letters(content, x + 1, y - 1, 5, "1");
    put_letters(content, x + 1, y + 4.5F, 5, "2");
    content->fills = realloc(content->fills, (content->n_fills + 1) * sizeof *content->fills);
    content->fills[content->n_fills++] = (struct fill){ .area = { x, y, x + 5, y + 0.3F } };
}

static void leaves_others(void)
{
    struct book book;

    begin(&book);
    rule(&book, 0);
    put_fraction(&book, 0, 4);
    note(&book, 0, 640, "1", "What is said of nothing that is above.");
    ok(understand(&book) && book.contents[0].fills[1].claimed_by == OWNER_FORMULA,
       "a fraction in a line is recognised");
    ok(!referred(&book.pages[0], 0), "the numerator of a fraction is not a mark");
    end(&book);

    begin(&book);
    refer(&book, 0, 4, "2");
    note(&book, 0, 640, "1", "No mark refers to it: what it is nobody knows for sure here.");
    refer(&book, 1, 4, "7");
    note(&book, 1, 640, NULL, "7 A TITLE");
    ok(understand(&book), "pages that end with small text are understood");
    ok(!referred(&book.pages[0], 0), "small text that no mark refers to is not a note");
    ok(!referred(&book.pages[1], 0), "a footer whose number equals a mark is not a note");
    ok(book.pages[0].sections[0].blocks.n > 1 && book.pages[1].sections[0].blocks.n > 1,
       "small text that is not a note stays in the text");
    end(&book);
}

static void marks_on_the_line(void)
{
    struct book book;

    begin(&book);
    refer(&book, 0, 4, "8");
    refer(&book, 0, 9, "2");
    refer(&book, 0, 20, "9");
    note(&book, 0, 640, NULL, "8 A note with its number on the line.");
    note(&book, 0, 660, NULL, "9 And another.");
    ok(understand(&book), "a page whose notes have their numbers on the line is understood");
    is_str(text_of(referred(&book.pages[0], 0)), "8 A note with its number on the line.",
           "numbers on the line that count on are marks of notes");
    is_str(text_of(referred(&book.pages[0], 1)), "9 And another.",
           "a number between them without a note is not a mark");
    end(&book);
}

static void goes_over(void)
{
    struct book book;

    begin(&book);
    refer(&book, 0, 4, "1");
    refer(&book, 0, 40, "2");
    rule(&book, 0);
    note(&book, 0, 640, "1",
         "A note that is longer than there is room for it on its page, which is");
    rule(&book, 1);
    note(&book, 1, 640, NULL, "why it goes on here.");
    note(&book, 1, 660, "2", "One with its mark on the page before.");
    ok(understand(&book), "pages with a note on both are understood");
    is_str(text_of(referred(&book.pages[0], 0)),
           "1 A note that is longer than there is room for it on its page, which is why it goes on "
           "here.",
           "a note on two pages is one note");
    is_str(text_of(referred(&book.pages[0], 1)), "2 One with its mark on the page before.",
           "a note is on the page of its mark");
    is_int((int) book.pages[1].sections[0].blocks.n, 1,
           "notes of the page before are removed from the text");
    is_int((int) book.pages[1].notes.n_moved, 2, "both notes were taken from the second page");
    footnotes_part(&book.pages[1]);
    is_int((int) book.pages[1].sections[0].blocks.n, 3, "notes that were taken can be put back");
    end(&book);
}

/* The line above what goes to the page before goes too, as a border or a picture, and comes back.
 */
static void line_goes_over(void)
{
    struct book book;
    struct page_picture picture = { .area = { 90, 620, 190, 620.5F } }, other = { 0 };
    struct block floats[2] = { { .kind = BLOCK_FIGURE }, { .kind = BLOCK_FIGURE } };
    struct page *page = &book.pages[1];
    struct paragraph *above;

    begin(&book);
    refer(&book, 0, 4, "1");
    rule(&book, 0);
    note(&book, 0, 640, "1",
         "A note that is longer than there is room for it on its page, which is");
    rule(&book, 1);
    note(&book, 1, 640, NULL, "why it goes on here.");
    ok(understand(&book) && page->notes.n_moved == 1, "pages with one note are understood");
    footnotes_part(page);
    above = &page->sections[0].blocks.items[0].paragraph;
    above->boxed = (struct boxed){ .border = { 1, 0 }, .under = true };
    floats[0].figure.picture = &picture;
    floats[1].figure.picture = &other;
    page->floats = floats;
    page->n_floats = 2;
    footnotes_join(&book.arenas[0], &book.pages[0], page);
    ok(page->notes.n_moved == 1 && page->n_floats == 1 && !above->boxed.under,
       "the line above a note is removed with the note");
    footnotes_part(page);
    ok(page->n_floats == 2 && floats[0].figure.picture == &picture &&
           floats[1].figure.picture == &other,
       "the line above a note as a picture is put back");
    ok(above->boxed.under && above->boxed.border.width > 0,
       "the line above a note as a border is put back");
    page->n_floats = 0;
    end(&book);
}

/* Two columns of lines, with a mark in the third line of each and its note at the end of it. */
static void stand_in_columns(void)
{
    struct book book = { .n = 1 };
    struct page_content *content = &book.contents[0];
    const struct section *section;

    *content = (struct page_content){ .width = 500, .height = 800, .fonts = &font, .n_fonts = 1 };
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 46; k++) {
            char text[] = "these are the lines xx of a column here";
            float x = side ? 265 : 40, base = 100 + 12 * (float) k;

            text[20] = (char) ('a' + side);
            text[21] = (char) ('a' + k % 26);
            put_letters(content, x, base, 10, k == 9 ? text + 16 : text);
            if (k == 2)
                put_letters(content, x + 39 * 5, base - 4, 6, side ? "2" : "1");
        }
    for (int side = 0; side < 2; side++) {
        put_letters(content, side ? 265 : 40, 669, 5, side ? "2" : "1");
        put_letters(content, side ? 271 : 46, 672, 8, side ? "Of the second." : "Of the first.");
    }
    ok(understand(&book), "a page of two columns with notes is understood");
    section = &book.pages[0].sections[0];
    is_int((int) section->n_columns, 2, "a page of two columns with notes keeps its columns");
    is_str(text_of(referred(&book.pages[0], 0)), "1 Of the first.",
           "the first column's mark has its note");
    is_str(text_of(referred(&book.pages[0], 1)), "2 Of the second.",
           "the second column's mark has its note");
    ok(!referred(&book.pages[0], 2), "two columns have no other notes");
    for (size_t i = 0; i < section->blocks.n; i++)
        ok(section->blocks.items[i].paragraph.head.size > 9,
           "notes of columns are removed from the text");
    end(&book);
}

int main(void)
{
    stand_in_columns();
    takes_notes();
    leaves_others();
    marks_on_the_line();
    goes_over();
    line_goes_over();
    return done_testing();
}
