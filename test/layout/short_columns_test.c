/* Columns of two to four lines, lists next to each other, and what looks like them: rows of a
 * table, labels and values. */
#include <stdlib.h>

#include "book.h"
#include "tap.h"

#define MOST 4

/* Two sides of so many lines; an empty line is left out. */
static struct page_content *begin(struct book *book, const char *const left[MOST],
                                  const char *const right[MOST])
{
    *book = (struct book){ .n = 1 };
    book->contents[0] =
        (struct page_content){ .width = 600, .height = 800, .fonts = &font, .n_fonts = 1 };
    for (int i = 0; i < MOST; i++) {
        if (left[i])
            put_letters(book->contents, 60, 100 + 14 * (float) i, 10, left[i]);
        if (right[i])
            put_letters(book->contents, 320, 100 + 14 * (float) i, 10, right[i]);
    }
    return book->contents;
}

/* Whether a page has a paragraph that begins, or is, with `text`. */
static bool has_paragraph(const struct book *book, const char *text)
{
    const struct page *page = &book->pages[0];

    for (size_t i = 0; i < page->n_sections; i++)
        for (size_t k = 0; k < page->sections[i].blocks.n; k++) {
            const struct paragraph *p = &page->sections[i].blocks.items[k].paragraph;
            char all[400] = "";
            size_t n = 0;

            for (size_t r = 0; r < p->n_runs && n < sizeof all; r++)
                n += (size_t) snprintf(all + n, sizeof all - n, "%s", p->runs[r].text);
            if (page->sections[i].blocks.items[k].kind == BLOCK_PARAGRAPH && strcmp(all, text) == 0)
                return true;
        }
    return false;
}

static size_t columns(const struct book *book)
{
    size_t most = 0;

    for (size_t i = 0; i < book->pages[0].n_sections; i++)
        if (book->pages[0].sections[i].n_columns > most)
            most = book->pages[0].sections[i].n_columns;
    return most;
}

static void finds_texts(void)
{
    struct book book;

    begin(&book, (const char *const[MOST]){ "The committee reviewed the yearly", "account and" },
          (const char *const[MOST]){ "approved the plan for the", "coming year." });
    ok(understand(&book), "two columns of two lines are understood");
    is_int((int) columns(&book), 2, "two columns of two lines are columns");
    ok(has_paragraph(&book, "The committee reviewed the yearly account and approved the plan for "
                            "the coming year."),
       "a sentence that goes from one to the other is one paragraph");
    end(&book);
    begin(&book,
          (const char *const[MOST]){ "The harbour was built in the", "year of the great flood." },
          (const char *const[MOST]){ "Boats leave for the island at", "nine in the morning and at",
                                     "noon." });
    ok(understand(&book), "columns of two and three lines are understood");
    ok(has_paragraph(&book, "The harbour was built in the year of the great flood.") &&
           has_paragraph(&book, "Boats leave for the island at nine in the morning and at noon."),
       "each of them has its own sentence");
    end(&book);
    begin(&book,
          (const char *const[MOST]){ "Der Hafen wurde im Jahre der", "Flut gebaut, das ist" },
          (const char *const[MOST]){ "lange her; er ist seit der", "Zeit breiter." });
    ok(understand(&book), "columns whose lines begin with capital letters are understood");
    is_int((int) columns(&book), 2, "lines that end with articles go on, whatever follows");
    end(&book);
}

static void finds_lists(void)
{
    struct book book;

    begin(&book, (const char *const[MOST]){ "- Apples of the hill", "- Pears" },
          (const char *const[MOST]){ "- Boats to the island", "- Trains" });
    ok(understand(&book), "two lists next to each other are understood");
    is_int((int) columns(&book), 2, "two lists next to each other are columns");
    end(&book);
    begin(&book, (const char *const[MOST]){ "1. Apples of the hill", "2. Pears" },
          (const char *const[MOST]){ "3. Boats to the island", "4. Trains" });
    ok(understand(&book), "a list that goes on in the next column is understood");
    is_int((int) columns(&book), 2, "a list that goes on in the next column has two");
    end(&book);
    begin(&book, (const char *const[MOST]){ "1. Apples of the hill", "3. Pears" },
          (const char *const[MOST]){ "2. Boats to the island", "4. Trains" });
    ok(understand(&book), "a list that goes on from left to right is understood");
    is_int((int) columns(&book), 1, "a list that goes on from left to right has no columns");
    end(&book);
}

static void keeps_rows(void)
{
    static const char *const rows[][2][MOST] = {
        { { "Harbour", "Mill", "Town" },
          { "a place where boats are kept", "a place where corn is ground", "a place to live" } },
        { { "to go home", "to be late", "to give away" },
          { "nach Hause gehen", "zu spaet kommen", "etwas weggeben" } },
        { { "Repair of the rear end", "of which parts and paint", "Sum of all" },
          { "1,200.00", "800.00", "2,000.00" } },
        { { "Name of the", "insured", "Phone" }, { "Gabriel Day", NULL, "0200 555" } },
        { { "Master of the port", "and his men", "Mill keeper", "and clerk" },
          { "Looks after all", "the boats", "Grinds corn", "for the town" } },
    };
    struct book book;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        begin(&book, rows[i][0], rows[i][1]);
        ok(understand(&book), "rows of two cells are understood");
        is_int((int) columns(&book), 1, "rows of two cells are not columns");
        end(&book);
    }
}

/* The second line of an item has the same middle as the first one. */
static void hangs_in_the_middle(void)
{
    struct book book = { .n = 1 };

    book.contents[0] =
        (struct page_content){ .width = 600, .height = 800, .fonts = &font, .n_fonts = 1 };
    put_letters(book.contents, 60, 86, 10, "This line is as wide as the column of the text is");
    put_letters(book.contents, 78, 100, 10, "-");
    put_letters(book.contents, 96, 100, 10, "What is to be made for the town and");
    put_letters(book.contents, 96, 114, 10, "villagers, and who does it all");
    ok(understand(&book), "an item whose two lines have one middle is understood");
    ok(has_paragraph(&book, "What is to be made for the town and villagers, and who does it all"),
       "both lines are in it");
    end(&book);
}

int main(void)
{
    finds_texts();
    finds_lists();
    keeps_rows();
    hangs_in_the_middle();
    return done_testing();
}
