#include "pdf/content/balance.h"
#include "tap.h"

static bool balances(const char *content, size_t before, size_t after)
{
    struct balance b = { 0 };

    balance_content((const unsigned char *) content, strlen(content), &b);
    return b.before == before && b.after == after;
}

static bool is_open(const char *content)
{
    struct balance b = { 0 };

    balance_content((const unsigned char *) content, strlen(content), &b);
    return b.open;
}

int main(void)
{
    ok(balances("", 1, 1), "empty content is put between q and Q");
    ok(balances("q 1 0 0 1 5 5 cm Q", 1, 1), "balanced content is put between q and Q");
    ok(balances("q q 2 0 0 2 0 0 cm", 1, 3), "missing Q are added at the end");
    ok(balances("Q Q 2 0 0 2 0 0 cm", 3, 1), "missing q are added at the beginning");
    ok(balances("Q q q", 2, 3), "missing q and Q are added at once");
    ok(balances("(q \\) q) Tj <71> Tj /q gs % q\n[ (q) ] TJ", 1, 1),
       "strings, names and comments hold no operators");
    ok(balances("BI /W 1 ID q q EI Q q", 2, 2), "the data of an inline image holds no operators");
    ok(balances("BI /W 1 ID q EI q \x80 EI Q q", 2, 2),
       "an EI within binary data does not end an inline image");
    ok(balances("BI /W 1 ID q", 1, 1), "an inline image that never ends holds no operators");
    ok(balances("q <4 q> Tj Q", 1, 1),
       "a hexadecimal string with other characters holds no operators");
    ok(balances("(never closed q", 1, 1), "a string that never ends holds no operators");
    ok(!is_open("") && !is_open("q (a) Tj <41> Tj [(a) <41>] TJ /S <</A [<</B 1>>]>> BDC % ("),
       "tokens that are all closed are no open content");
    ok(!is_open("BI /W 1 /D [0 1] ID x EI Q"), "nor is an inline image with its end");
    ok(!is_open("(a) ) > ] >> Q <4 q>"), "nor are ends without a beginning");
    ok(is_open("(a") && is_open("(a (b) \\") && is_open("<41"), "a string without its end is open");
    ok(is_open("[(a)") && is_open("[(a) TJ Q") && is_open("<</A (b)") && is_open("<</A [1 2]"),
       "so are an array and a dictionary");
    ok(is_open("[<<] >>"), "also where they end in another order than they begin");
    ok(is_open("BI /W 1") && is_open("BI /W 1 ID abc"), "so is an inline image");
    return done_testing();
}
