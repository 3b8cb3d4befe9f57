/* A column at the side of a page, whose lines stand at the heights of another text's. */
#include "tap.h"
#include "written.h"

/* Text that goes on from line to line, with a line left out now and then. */
static void put_text(struct test_page *t, float x)
{
    static const char *const lines[] = { "Experience",
                                         "led the redesign of the service for orders and made it",
                                         "twice as fast, together with people of two other teams",
                                         "who wrote the guide for new ones.",
                                         "",
                                         "built what was needed for it from the first day on and",
                                         "moved all of it to another place without stopping, and",
                                         "taught others how to do that as well, for two years at",
                                         "most.",
                                         "",
                                         "was there before, too, as one who learnt it in a school",
                                         "of which nothing is known any more, not even where that",
                                         "was." };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        put(t, x, 100 + 14 * (float) i, lines[i]);
}

/* Short lines at the same heights. */
static void put_side(struct test_page *t, float x)
{
    static const char *const lines[] = {
        "Contact",        "anna@example.org", "Harbour 14", "", "Skills",
        "Building boats", "Rowing",           "Singing",    "", "Languages I speak well",
        "Danish",         "German",           "Polish"
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        put(t, x, 100 + 14 * (float) i, lines[i]);
}

/* A table of so many rows: what is on the right goes on in a second line. */
static void put_rows(struct test_page *t, int n)
{
    for (int i = 0; i < n; i++) {
        float y = 100 + 28 * (float) i;

        put(t, 50, y, i % 2 ? "Purpose of it" : "Name and place");
        put(t, 180, y, "what is said of it goes on in the next line, which is the");
        put(t, 180, y + 14, "last one of the row");
    }
}

static bool has(const struct test_page *t, size_t section, const char *text)
{
    for (size_t i = 0; section < t->page.n_sections && i < t->page.sections[section].blocks.n; i++)
        if (strstr(text_of(block(t, section, i)), text))
            return true;
    return false;
}

static size_t columns(const struct test_page *t, size_t section)
{
    return section < t->page.n_sections ? t->page.sections[section].n_columns : 0;
}

static void columns_beside(void)
{
    struct test_page t;

    begin(&t);
    put_side(&t, 50);
    put_text(&t, 180);
    ok(understand(&t), "a page with a narrow column at the left is understood");
    ok(columns(&t, 0) == 2 && t.page.n_sections == 1,
       "a narrow column at the left and the text are two columns");
    ok(strncmp(text_of(block(&t, 0, 0)), "Contact", 7) == 0, "the left column is read first");
    ok(has(&t, 0, "for orders and made it twice as fast, together with people"),
       "lines of the wide column are joined");
    end(&t);
    begin(&t);
    put_text(&t, 50);
    put_side(&t, 350);
    ok(understand(&t), "a page with a narrow column at the right is understood");
    ok(columns(&t, 0) == 2 && has(&t, 0, "as fast, together with people of two other teams who"),
       "a narrow column at the right and the text are two columns");
    end(&t);
    begin(&t);
    put_at(&t, 50, 70, 24, "Anna");
    put_side(&t, 50);
    put_text(&t, 180);
    put(&t, 50, 330, "This is a line of text below both columns, from the left one to the right.");
    ok(understand(&t), "columns with a title and text below them are understood");
    ok(columns(&t, 0) == 1 && columns(&t, 1) == 2 && columns(&t, 2) == 1,
       "a title and text below columns are in no column");
    end(&t);
}

/* At the right side, below text that goes further to the right. */
static void goes_to_edge(void)
{
    struct test_page t;

    begin(&t);
    for (int i = 0; i < 3; i++)
        put(&t, 50, 58 + 12 * (float) i,
            "This is a line of text above both columns, from the left one to the right, and on "
            "beyond.");
    for (int i = 0; i < 12; i++) {
        put(&t, 50, 120 + 14 * (float) i, "what is said here is running text, in one line alone.");
        put(&t, 360, 124 + 17 * (float) i, i % 2 ? "Rowing" : "Building boats");
    }
    ok(understand(&t), "a narrow column below a wide text is understood");
    ok(columns(&t, 1) == 2 &&
           t.page.sections[1].columns[1].x1 > t.page.width - t.page.margins.right - 1 &&
           block(&t, 1, t.page.sections[1].begins[1])->paragraph.right > 30,
       "the narrow column extends to the wide text's right edge, its paragraphs do not");
    end(&t);
}

static void rows_beside(void)
{
    struct test_page t;

    begin(&t);
    put_rows(&t, 8);
    ok(understand(&t), "rows whose right part has two lines are understood");
    ok(columns(&t, 0) == 1, "rows whose right part has two lines are not columns");
    end(&t);
    begin(&t);
    for (int i = 0; i < 12; i++) {
        put(&t, 50, 100 + 14 * (float) i, "Sander et al");
        put(&t, 180, 100 + 14 * (float) i, "the same as ever");
    }
    ok(understand(&t), "a list of two parts is understood");
    ok(columns(&t, 0) == 1, "a list of two parts is not columns");
    end(&t);
}

static void panel(void)
{
    struct test_page t;

    begin(&t);
    t.content.fills = calloc(1, sizeof *t.content.fills);
    t.content.fills[t.content.n_fills++] =
        (struct fill){ .area = { 0, 0, 170, 800 }, .color = 0x223344 };
    for (int i = 0; i < 5; i++) {
        put(&t, 60 + 5 * (float) (i % 3), 107 + 28 * (float) i, "short and centred");
        put(&t, 180 + 30 * (float) (i % 2), 100 + 28 * (float) i, "also rather short, and on");
        put(&t, 180 + 20 * (float) (i % 2), 114 + 28 * (float) i, "two lines, at no one place");
    }
    ok(understand(&t), "a page with a colour behind a part of it is understood");
    ok(columns(&t, 0) == 2 && !has(&t, 0, "\t"),
       "a part of a page that has its own background colour becomes a column");
    end(&t);
}

int main(void)
{
    columns_beside();
    goes_to_edge();
    rows_beside();
    panel();
    return done_testing();
}
