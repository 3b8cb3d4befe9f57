#include "pdf/content/balance.h"
#include "tap.h"

static bool balances(const char *content, size_t before, size_t after)
{
    struct balance b = { 0 };

    balance_content((const unsigned char *) content, strlen(content), &b);
    return b.before == before && b.after == after;
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
    return done_testing();
}
