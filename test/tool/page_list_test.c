#include "declare/value/page_list.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/scope.h"
#include "tap.h"

/* The items as "label:pages", or what is wrong. */
static const char *resolve(const char *text, size_t n_pages)
{
    static struct err err;
    static char shown[400];
    AUTO_BUF struct buf out = BUF_EMPTY;
    AUTO_PAGE_LIST struct page_list list = { 0 };

    if (page_list_resolve(text, n_pages, &list, &err) < 0)
        return err.msg;
    for (size_t i = 0; i < list.n_items; i++) {
        buf_printf(&out, "%s%s:", i ? "|" : "", list.items[i].label);
        for (size_t k = 0; k < list.items[i].n; k++)
            buf_printf(&out, "%s%zu", k ? " " : "", list.items[i].pages[k] + 1);
    }
    snprintf(shown, sizeof shown, "%s%s", buf_text(&out), list.clamped ? " clamped" : "");
    return shown;
}

static void test_grammar(void)
{
    is_str(resolve("3", 5), "3:3", "a number is a page");
    is_str(resolve("1-3,5", 5), "1-3:1 2 3|5:5", "a range and a page are two items");
    is_str(resolve("3-1", 5), "3-1:3 2 1", "a range may go backwards");
    is_str(resolve("4-", 5), "4-5:4 5", "N- ends with the last page");
    is_str(resolve("-2", 5), "1-2:1 2", "-N begins with the first page");
    is_str(resolve("r1,last", 5), "5:5|5:5", "r1 and last are the last page");
    is_str(resolve("r2-", 5), "4-5:4 5", "ranges may count from the end");
    is_str(resolve("r1-1", 3), "3-1:3 2 1", "a range from the end may go back to the start");
    is_str(resolve("-r2", 5), "1-4:1 2 3 4", "-r2 ends with the second last page");
    is_str(resolve("all", 3), "all:1 2 3", "all is every page");
    is_str(resolve("odd", 5), "odd:1 3 5", "odd is every odd page");
    is_str(resolve("EVEN", 5), "even:2 4", "even is every even page, in upper or lower case");
    is_str(resolve("all,!2", 3), "all:1 3", "all,!2 is every page but page 2");
    is_str(resolve("!2-3", 4), "all:1 4", "a list of exclusions alone excludes from all pages");
    is_str(resolve("1-4,!odd,2", 4), "1-4:2 4|2:2", "an exclusion applies to the whole list");
    is_str(resolve("1,2,!2", 4), "1:1", "an item that exclusions empty is omitted");
    is_str(resolve(" 1 - 3 , 5 ", 5), "1-3:1 2 3|5:5",
           "blanks around numbers and signs are ignored");
    is_str(resolve("\tr1\n-\r1 ,! 2", 3), "3-1:3 1",
           "tabs and line ends around numbers and signs are ignored");
    is_str(resolve("1,1,1", 5), "1:1|1:1|1:1", "repetitions are kept");
    is_str(resolve("even", 1), "the page list leaves no page", "even pages of one");
    is_str(resolve("!all", 3), "the page list leaves no page", "without all");
}

static void test_junk(void)
{
    is_str(resolve("", 5), "the page list is empty", "empty");
    is_str(resolve("  ", 5), "the page list is empty", "blank");
    is_str(resolve("0", 5), "page numbers begin with 1 at \"0\"", "there is no page 0");
    is_str(resolve("1,,2", 5), "expected a page number, r1, last, all, odd or even at \",2\"",
           "an empty item");
    is_str(resolve("1,", 5),
           "expected a page number, r1, last, all, odd or even at the end of the page list",
           "a trailing comma");
    is_str(resolve("1;2", 5), "expected a comma at \";2\"", "a stray character is named");
    is_str(resolve("-", 5),
           "expected a page number, r1, last, all, odd or even at the end of the page list",
           "a lone dash");
    is_str(resolve("1-2-3", 5), "expected a comma at \"-3\"", "two dashes");
    is_str(resolve("oddly", 5), "expected a comma at \"ly\"", "a longer word");
    is_str(resolve("1 0", 10), "expected a comma at \"0\"", "a blank never joins two numbers");
    is_str(resolve("1-1 2", 12), "expected a comma at \"2\"", "nor in a range");
    is_str(resolve("r 2", 5), "expected a page number, r1, last, all, odd or even at \" 2\"",
           "nor r and its number");
    is_str(resolve("la st", 5), "expected a page number, r1, last, all, odd or even at \"la st\"",
           "nor the letters of a word");
    is_str(resolve("r0", 5), "page numbers begin with 1 at \"0\"", "r0");
    is_str(resolve("9999999999", 5), "the page number is too large at \"9999999999\"", "too large");
    is_str(resolve("!!1", 5), "expected a page number, r1, last, all, odd or even at \"!1\"", "!!");
}

static void test_range(void)
{
    static char long_list[PAGE_LIST_ITEMS * 2 + 8];
    struct err err;

    is_str(resolve("2-9", 5), "2-5:2 3 4 5 clamped", "an end beyond the last page is taken back");
    is_str(resolve("6", 5), "page 6 was asked for, but the document has 5 pages",
           "a start beyond it is not");
    is_str(resolve("7-9", 5), "page 7 was asked for, but the document has 5 pages",
           "nor is a range that starts beyond it");
    is_str(resolve("r6", 5), "page r6 was asked for, but the document has 5 pages",
           "counted from the end too");
    is_str(resolve("9-2", 5), "page 9 was asked for, but the document has 5 pages",
           "backwards, the start is still the start");
    is_str(resolve("2", 1), "page 2 was asked for, but the document has 1 page", "in the singular");
    is_str(resolve("1,6", 5), "page 6 was asked for, but the document has 5 pages",
           "in a longer list too");
    is_str(resolve("6-", 5), "page 6 was asked for, but the document has 5 pages",
           "and where the range is open");
    is_str(resolve("!1,all", 3), "all:2 3", "an exclusion holds wherever it stands in the list");
    for (size_t i = 0; i < sizeof long_list - 1; i++)
        long_list[i] = i % 2 ? ',' : '1';
    long_list[sizeof long_list - 2] = '1';
    ok(page_list_check(long_list, &err) < 0, "a list with too many items is refused");
    is_str(resolve("all,all,all", 400000), "the page list names more than 1000000 pages",
           "a list that names too many pages is refused");
}

static void test_several(void)
{
    static const char *const several[] = { "1,2", "1-2", "2-1", "r1-r3", "1,1", "odd,even" };
    static const char *const one[] = { "1",   "last", "r2",     "all", "1-",
                                       "2-2", "-1",   "1-last", "odd", "1,2,!2" };

    for (size_t i = 0; i < COUNT(several); i++)
        ok(page_list_is_several(several[i]), "\"%s\" is more than one page", several[i]);
    for (size_t i = 0; i < COUNT(one); i++)
        ok(!page_list_is_several(one[i]), "\"%s\" may be one", one[i]);
}

int main(void)
{
    AUTO_PAGE_LIST struct page_list list = { 0 };
    struct err err;

    test_grammar();
    test_junk();
    test_range();
    test_several();
    page_list_resolve("2,4", 5, &list, &err);
    bool *map = page_list_map(&list, 5, &err);
    ok(map && !map[0] && map[1] && !map[2] && map[3] && !map[4], "a list can be seen as a set");
    free(map);
    return done_testing();
}
