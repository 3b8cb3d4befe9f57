#include "pdf_content/balance.h"
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
    ok(balances("q 1 0 0 1 5 5 cm Q", 1, 1), "balanced content too");
    ok(balances("q q 2 0 0 2 0 0 cm", 1, 3), "what is left open is closed");
    ok(balances("Q Q 2 0 0 2 0 0 cm", 3, 1), "what is closed too often is opened before");
    ok(balances("Q q q", 2, 3), "both at once");
    ok(balances("(q \\) q) Tj <71> Tj /q gs % q\n[ (q) ] TJ", 1, 1),
       "strings, names and comments hold no operators");
    ok(balances("BI /W 1 ID q q EI Q q", 2, 2), "nor does an inline picture");
    ok(balances("BI /W 1 ID q EI q \x80 EI Q q", 2, 2), "whatever letters are in its data");
    ok(balances("BI /W 1 ID q", 1, 1), "even one that never ends");
    ok(balances("q <4 q> Tj Q", 1, 1), "nor a hexadecimal string with other characters");
    ok(balances("(never closed q", 1, 1), "nor a string that never ends");
    return done_testing();
}
