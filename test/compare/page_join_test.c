/* tests of compare/page_join: pages of two repairs of one document beside each other. */
#include "engine/compare/page_join.h"

#include "tap.h"

/* A page with the words of one letter, of which the first `words` are left; 0: nothing is. */
static void put_page(struct content_score *look, char letter, size_t words)
{
    struct content_score_page *page = &look->page[look->seen++];

    *page = (struct content_score_page){ .inked = words > 0, .words = words, .letters = 6 * words };
    page->text = words ? (uint64_t) letter << 32 | words : 0;
    for (size_t i = 0; i < words; i++)
        page->marks[(letter - 'A') % 32] |= UINT64_C(1) << i;
    look->pages = look->seen;
}

static void put_picture(struct content_score *look, uint64_t picture)
{
    look->page[look->seen++] = (struct content_score_page){ .inked = true, .picture = picture };
    look->pages = look->seen;
}

/* A letter is a page: a small one has lost half of its words, '.' all, a digit is a picture. */
static struct content_score look_of(const char *pages)
{
    struct content_score look = { 0 };

    for (; *pages; pages++)
        if (*pages >= '0' && *pages <= '9')
            put_picture(&look, (uint64_t) *pages);
        else if (*pages >= 'a')
            put_page(&look, (char) (*pages - 'a' + 'A'), 30);
        else
            put_page(&look, *pages, *pages == '.' ? 0 : 60);
    return look;
}

/* The pages of the best one after all that is taken from the other: in its place, or new. */
static const char *joined(const char *best, const char *other)
{
    static char out[300];
    struct content_score a = look_of(best), b = look_of(other);
    struct page_join joins[CONTENT_SCORE_PAGES];
    size_t n = page_join_plan(&a, &b, joins);

    snprintf(out, sizeof out, "%s", best);
    for (size_t i = 0; i < n; i++) {
        size_t at = joins[i].at;

        if (joins[i].is_new)
            memmove(out + at + 1, out + at, strlen(out + at) + 1);
        out[at] = other[joins[i].from];
    }
    return out;
}

int main(void)
{
    static char many[CONTENT_SCORE_PAGES + 1];
    struct content_score a = look_of("ABC"), b = look_of("AbC");
    struct page_join joins[CONTENT_SCORE_PAGES];

    is_str(joined("AbCD", "ABcD"), "ABCD", "the better page is taken where counts are the same");
    is_str(joined("A.CD", "ABCD"), "ABCD", "also for one that is lost");
    is_str(joined("AbCDE", "ABC"), "ABCDE", "the best has more pages at the end");
    is_str(joined("ABCdE", "CDE"), "ABCDE", "and at the beginning");
    is_str(joined("ACD", "ABCd"), "ABCD", "a page that it lost comes back in its place");
    is_str(joined("AD", "ABCD"), "ABCD", "and two");
    is_str(joined("BC", "AB"), "ABC", "and the first");
    is_str(joined("AB", "ABC"), "ABC", "and the last");
    is_str(joined("aC", "ABC"), "ABC", "one is better, one is new");
    is_str(joined("ABC", "ABBC"), "ABC", "a page that it has is not taken twice");
    is_str(joined("ABC", "ABbC"), "ABC", "nor what is left of it");
    is_str(joined("AB", "A.B"), "AB", "nor a page of which nothing is left");
    is_str(joined("AXC", "ABC"), "AXC", "of two pages that share nothing neither is taken");
    is_str(joined("AXC", "ABDC"), "AXC", "whatever their number");
    is_str(joined("ABC", "XY"), "ABC", "nor is anything where no page is known");
    is_str(joined("1A3", "1A23"), "1A23", "pictures are known by what they show");
    is_str(joined("12", "122"), "12", "and not taken twice");
    is_str(joined("a.CD", ".B.."), "aBCD", "what is left of pages stays in its place");
    is_str(joined("A.B", "ACB"), "ACB", "a blank page is what another one is left of");
    ok(page_join_plan(&b, &a, joins) == 1,
       "documents of which all pages were looked at are joined");
    a.pages++;
    ok(page_join_plan(&b, &a, joins) == 0, "others are not");
    memset(many, 'A', CONTENT_SCORE_PAGES);
    is_str(joined(many, many), many, "the largest number of pages is compared");
    return done_testing();
}
