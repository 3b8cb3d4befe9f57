/* Text that goes on in the next column, and from the last one to the next page. */
#include <stdlib.h>

#include "book.h"
#include "tap.h"

/* Two columns of so many lines: `first` is what the right ones begin with, `last` what the left
 * ones end with. */
static void put_columns(struct page_content *content, int left, int right, char first,
                        const char *last)
{
    for (int i = 0; i < left; i++) {
        char text[] = "xx left column has running text in its lines";

        /* No line is on several pages, or it were a header. */
        text[0] = (char) ('a' + content->number);
        text[1] = (char) ('a' + i % 26);
        put_letters(content, 50, 100 + 12 * (float) i, 10, i + 1 < left ? text : last);
    }
    for (int i = 0; i < right; i++) {
        char text[] = "xx right one has its own, which goes on as yet";

        text[0] = i == 0 ? first : (char) ('a' + content->number);
        text[1] = (char) ('a' + i % 26);
        put_letters(content, 320, 100 + 12 * (float) i, 10, text);
    }
}

static struct page_content *begin(struct book *book, int n)
{
    *book = (struct book){ .n = n };
    for (int i = 0; i < n; i++)
        book->contents[i] = (struct page_content){
            .number = (size_t) i, .width = 600, .height = 800, .fonts = &font, .n_fonts = 1
        };
    return book->contents;
}

static const struct section *section(const struct book *book, int page, size_t i)
{
    static const struct section none;

    return i < book->pages[page].n_sections ? &book->pages[page].sections[i] : &none;
}

static bool has_text(const struct section *section, size_t i, const char *text)
{
    static char all[8000];
    const struct paragraph *p = &section->blocks.items[i].paragraph;
    size_t n = 0;

    all[0] = '\0';
    for (size_t k = 0; i < section->blocks.n && k < p->n_runs; k++)
        n += (size_t) snprintf(all + n, sizeof all - n, "%s", p->runs[k].text);
    return strstr(all, text);
}

static bool has_break(const struct section *section)
{
    for (size_t i = 0; i < section->blocks.n; i++)
        if (section->blocks.items[i].column_break)
            return true;
    return false;
}

static void goes_on(void)
{
    struct book book;

    put_columns(begin(&book, 1), 20, 20, 'k', "it has a sentence that goes on in the next bro-");
    ok(understand(&book), "columns with a sentence that goes on are understood");
    is_int((int) section(&book, 0, 0)->blocks.n, 1,
           "a sentence that goes on in the next column is one paragraph");
    ok(has_text(section(&book, 0, 0), 0, "next bro\xc2\xadka right"),
       "a word that is divided between columns is joined");
    ok(book.pages[0].fixed_end && !has_break(section(&book, 0, 0)),
       "the end of the columns is fixed without a break");
    end(&book);
    put_columns(begin(&book, 1), 20, 20, 'X', "it is a line that is full where it ends.");
    ok(understand(&book), "columns that end with a sentence are understood");
    ok(section(&book, 0, 0)->poured && has_break(section(&book, 0, 0)),
       "after a full stop the next column begins with an optional break");
    end(&book);
    put_columns(begin(&book, 1), 20, 20, 'x', "it is a sentence that goes on in the next");
    for (int i = 0; i < 20; i++)
        put_letters(book.contents, 50, 345 + 8 * (float) i, 7,
                    "This is a note, that goes on from line to line in smaller type");
    ok(understand(&book), "columns with a note below them are understood");
    ok(has_break(section(&book, 0, 0)), "text does not go on behind a note");
    end(&book);
}

static void ends_evenly(void)
{
    struct book book;

    put_columns(begin(&book, 1), 20, 20, 'x', "it is a sentence that goes on in the next");
    put_letters(
        book.contents, 50, 400, 10,
        "This is a line of text below both of the columns, from left to right, across the page.");
    ok(understand(&book), "columns with text below them are understood");
    ok(section(&book, 0, 0)->even && section(&book, 0, 0)->blocks.n == 1,
       "columns above text are one paragraph and end evenly");
    end(&book);
    put_columns(begin(&book, 1), 20, 14, 'x', "it is a sentence that goes on in the next");
    put_letters(
        book.contents, 50, 400, 10,
        "This is a line of text below both of the columns, from left to right, across the page.");
    ok(understand(&book), "columns of two lengths with text below them are understood");
    ok(has_break(section(&book, 0, 0)), "columns of two lengths above text have a break");
    end(&book);
}

static void goes_over_pages(void)
{
    struct book book;
    struct page_content *contents = begin(&book, PAGES);

    for (int i = 0; i < PAGES; i++)
        put_columns(&contents[i], LINES, i + 1 < PAGES ? LINES : 9, 'y',
                    "it is a sentence that goes on in the next");
    ok(understand(&book), "pages of columns are understood");
    is_int(book.pages[0].after, TRANSITION_SAME,
           "a sentence that goes on from the first page to the next is one paragraph");
    is_int(book.pages[1].after, TRANSITION_SAME,
           "a sentence that goes on from the second page to the next is one paragraph");
    end(&book);
    contents = begin(&book, PAGES);
    for (int i = 0; i < PAGES; i++)
        put_columns(&contents[i], LINES, LINES - (i == 1 ? 20 : 0), 'y',
                    "it is a sentence that goes on in the next");
    ok(understand(&book), "a page that ends early among them is understood");
    is_int(book.pages[1].after, TRANSITION_BREAK, "a page that ends early is followed by a break");
    end(&book);
}

static void stands_above(void)
{
    static const struct page_font fonts[] = {
        { .source = "Test", .family = "Test" }, { .source = "Bold", .family = "Bold", .bold = true }
    };
    struct book book;
    struct page_content *contents = begin(&book, 2);
    size_t n;

    contents[0].fonts = contents[1].fonts = fonts;
    contents[0].n_fonts = contents[1].n_fonts = 2;
    put_columns(&contents[0], LINES, LINES, 'X', "it is a line that is full where it ends.");
    put_columns(&contents[1], 20, 20, 'X', "it is a line that is full where it ends.");
    n = contents[1].n_glyphs;
    put_letters(&contents[1], 50, 346, 12, "What follows is for all");
    for (; n < contents[1].n_glyphs; n++)
        contents[1].glyphs[n].font = 1;
    put_letters(
        &contents[1], 50, 366, 10,
        "This is a line of text below both of the columns, from left to right, across the page.");
    ok(understand(&book),
       "columns that begin on a page before, with text below them, are understood");
    is_int(book.pages[0].after, TRANSITION_SAME,
           "columns that go on on the next page are one paragraph");
    ok(has_break(section(&book, 1, 0)), "columns with text below them keep their break");
    ok(has_text(section(&book, 1, 1), 0, "What follows") && section(&book, 1, 1)->n_columns == 1,
       "a heading below columns belongs to the text across the page");
    end(&book);
    contents = begin(&book, 2);
    put_columns(&contents[0], LINES, LINES, 'x', "it is a sentence that goes on in the next");
    put_columns(&contents[1], 20, 20, 'x', "it is a sentence that goes on in the next");
    put_letters(
        &contents[1], 50, 400, 10,
        "This is a line of text below both of the columns, from left to right, across the page.");
    ok(understand(&book), "such columns with a paragraph that goes over are understood");
    ok(section(&book, 1, 0)->even && book.pages[0].after == TRANSITION_BREAK,
       "columns with a paragraph across pages are balanced on their own page");
    end(&book);
}

/* Two columns of short lines, as in an index; the right one's stand lower by so much. */
static void put_index(struct page_content *content, float lower)
{
    for (int i = 0; i < 9; i++) {
        char text[] = "entry x 12, 34";

        text[6] = (char) ('a' + i);
        put_letters(content, 50, 100 + 14 * (float) i, 10, text);
        put_letters(content, 320, 100 + lower + 14 * (float) i, 10, text);
    }
}

static void finds_index(void)
{
    struct book book;

    put_index(begin(&book, 1), 5);
    ok(understand(&book), "columns of short lines are understood");
    is_int((int) section(&book, 0, 0)->n_columns, 2,
           "short lines at different heights are columns and not rows");
    end(&book);
    begin(&book, 1);
    for (int i = 0; i < 9; i++) {
        put_letters(book.contents, 50, 103 + 14 * (float) i, 10, "+");
        put_letters(book.contents, 80, 100 + 14 * (float) i, 10, "what is listed");
    }
    ok(understand(&book), "labels that stand lower than what they label are understood");
    is_int((int) section(&book, 0, 0)->n_columns, 1, "labels beside their texts are not a column");
    end(&book);
    put_index(begin(&book, 1), 0);
    ok(understand(&book), "short lines beside others are understood");
    is_int((int) section(&book, 0, 0)->n_columns, 1,
           "short lines at the same heights are not columns");
    end(&book);
}

static void put_rule(struct page_content *content, float x0, float y0, float x1, float y1)
{
    content->fills = realloc(content->fills, (content->n_fills + 1) * sizeof *content->fills);
    content->fills[content->n_fills++] = (struct fill){ .area = { x0, y0, x1 + 0.5F, y1 + 0.5F } };
}

/* A table in the left column, and text of one column far below both. */
static void has_table_in_column(void)
{
    struct page_content *content;
    struct book book;

    content = begin(&book, 1);
    put_letters(content, 50, 100, 10, "A table is in this column 1:");
    for (int i = 0; i < 4; i++)
        put_rule(content, 46, 106 + 13 * (float) i, 300, 106 + 13 * (float) i);
    for (int i = 0; i < 3; i++)
        put_rule(content, 46 + 127 * (float) i, 106, 46 + 127 * (float) i, 145);
    for (int i = 0; i < 3; i++) {
        put_letters(content, 50, 116 + 13 * (float) i, 10, "1");
        put_letters(content, 180, 116 + 13 * (float) i, 10, "2");
    }
    put_letters(content, 50, 158, 10, "This is the end of the left one. It is");
    put_letters(content, 50, 170, 10, "a short one.");
    for (int i = 0; i < 8; i++) {
        char text[] = "xx right one has its own, which goes on as yet";

        text[0] = (char) ('a' + i);
        put_letters(content, 320, 100 + 12 * (float) i, 10, text);
    }
    put_letters(content, 50, 240, 10, "There is one column again.");
    ok(understand(&book), "a table in a column is understood");
    ok(section(&book, 0, 0)->n_columns == 2 && section(&book, 0, 0)->begins[1] == 3 &&
           section(&book, 0, 0)->blocks.items[1].kind == BLOCK_TABLE,
       "a column with a table in it has its text and no other");
    ok(section(&book, 0, 1)->n_columns == 1 &&
           has_text(section(&book, 0, 1), 0, "There is one column again."),
       "a line far below both columns is in none of them");
    end(&book);
}

/* Columns of running text of so many lines, and a line of the left column's width below them. */
static void has_line_below(int left, int right, float white, bool below)
{
    static const char line[] = "What follows is in one column.";
    struct book book;
    int most = left > right ? left : right;

    put_columns(begin(&book, 1), left, right, 'X', "it is a line that is full where it ends.");
    put_letters(book.contents, 50, 88 + 12 * (float) most + white, 10, line);
    ok(understand(&book), "columns and a line at the left below them are understood");
    ok(has_text(section(&book, 0, 1), 0, line) == below,
       below ? "a line at the left below columns is in none of them"
             : "a line below a longer left column is in that column");
    end(&book);
}

int main(void)
{
    has_line_below(8, 8, 20, true);
    has_line_below(6, 9, 20, true);
    has_line_below(9, 6, 20, false);
    has_line_below(9, 6, 40, true);
    has_table_in_column();
    finds_index();
    goes_on();
    ends_evenly();
    stands_above();
    goes_over_pages();
    return done_testing();
}
