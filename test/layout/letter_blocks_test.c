/* Blocks of a letter that stand next to each other on one line grid. */
#include "tap.h"
#include "written.h"

static const char *const address[] = { "Messrs", "Harbour Stores and", "Chandlers Ltd",
                                       "3 Quay Street", "Whitby" };
static const char *const labels[] = { "Invoice number", "94165",           "Booked on",
                                      "30.08.2018",     "Customer number", "360122" };

static void put_lines(struct test_page *t, float x, const char *const *lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put(t, x, 140 + 12 * (float) i, lines[i]);
}

static void put_body(struct test_page *t)
{
    put(t, 50, 300, "We thank you for the order and send you the goods named below with this");
    put(t, 50, 312, "letter, and ask you to pay within thirty days.");
}

static void box(struct test_page *t, float x0, float y0, float x1, float y1)
{
    rule(t, x0, y0, x1, y0);
    rule(t, x0, y1, x1, y1);
    rule(t, x0, y0, x0, y1);
    rule(t, x1, y0, x1, y1);
}

/* Whether the page has a section of two columns, the first with all lines of the left block and
 * none of the right one. */
static bool are_two(struct test_page *t, size_t section, const char *first, const char *second)
{
    const struct section *s = &t->page.sections[section];

    return section < t->page.n_sections && s->n_columns == 2 &&
           strcmp(text_of(block(t, section, 0)), first) == 0 &&
           strcmp(text_of(block(t, section, s->begins[1])), second) == 0;
}

static void address_and_information(void)
{
    struct test_page t;

    begin(&t);
    put_lines(&t, 50, address, 5);
    put_lines(&t, 340, labels, 6);
    put_body(&t);
    ok(understand(&t) && are_two(&t, 0, "Messrs", "Invoice number"),
       "an address and a block of information at the same heights are two blocks");
    ok(strcmp(text_of(block(&t, 0, 1)), "Harbour Stores and") == 0 &&
           strcmp(text_of(block(&t, 0, 4)), "Whitby") == 0,
       "each line of the address stays one");
    ok(t.page.n_sections == 2 && t.page.sections[1].n_columns == 1, "the text is below both");
    end(&t);
    begin(&t);
    put_lines(&t, 50, labels, 6);
    put_lines(&t, 340, address, 5);
    put_body(&t);
    ok(understand(&t) && are_two(&t, 0, "Invoice number", "Messrs"),
       "an address can be at the right");
    end(&t);
}

static void framed(void)
{
    static const char *const plain[] = { "Ann Hill", "Master of works", "North mill" };
    struct test_page t;
    const struct block *first;

    begin(&t);
    put_lines(&t, 50, address, 5);
    put_lines(&t, 340, labels, 6);
    box(&t, 330, 128, 480, 206);
    put_body(&t);
    ok(understand(&t) && are_two(&t, 0, "Messrs", "Invoice number"),
       "a block in a frame next to an address is a block");
    first = block(&t, 0, t.page.sections[0].begins[1]);
    ok(first->kind == BLOCK_PARAGRAPH && first->paragraph.boxed.border.width > 0,
       "it keeps its frame");
    end(&t);
    begin(&t);
    put_lines(&t, 50, plain, 3);
    put_lines(&t, 340, labels, 6);
    box(&t, 330, 128, 480, 206);
    put_body(&t);
    ok(understand(&t) && are_two(&t, 0, "Ann Hill", "Invoice number"),
       "a block in a frame next to other lines is a block");
    end(&t);
}

static void sizes_in_turn(void)
{
    static const char *const plain[] = { "Harbour", "Quay side", "Whitby", "North", "Old port" };
    struct test_page t;

    begin(&t);
    put_lines(&t, 50, plain, 5);
    for (size_t i = 0; i < 6; i++)
        put_at(&t, 340, 140 + 12 * (float) i, i % 2 ? 10 : 7, labels[i]);
    put_body(&t);
    ok(understand(&t) && are_two(&t, 0, "Harbour", "Invoice number"),
       "small labels above their values are a block");
    end(&t);
}

static void rows(void)
{
    static const char *const names[] = { "Name", "Company", "Street", "Town" };
    static const char *const values[] = { "Erika Muster", "Musterbau GmbH", "Hafenweg 3",
                                          "20457 Hamburg" };
    static const char *const towns[] = { "Place", "20457 Hamburg", "80331 Munich", "10115 Berlin" };
    static const char *const people[] = { "Manager", "Ann Hill", "Ben Stone", "Cy Moor" };
    struct test_page t;

    begin(&t);
    put_lines(&t, 50, names, 4);
    put_lines(&t, 340, values, 4);
    put_body(&t);
    ok(understand(&t) && t.page.sections[0].n_columns == 1,
       "the names of an address's lines are no block next to it");
    end(&t);
    begin(&t);
    put_lines(&t, 50, towns, 4);
    put_lines(&t, 340, people, 4);
    put_body(&t);
    ok(understand(&t) && t.page.sections[0].n_columns == 1, "a list of towns is no address");
    end(&t);
}

int main(void)
{
    address_and_information();
    framed();
    sizes_in_turn();
    rows();
    return done_testing();
}
