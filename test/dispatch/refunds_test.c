#include "server/dispatch/refunds.h"

#include "tap.h"

#define NOON (20000 * 24LL * 3600 * 1000 + 12LL * 3600 * 1000)

int main(void)
{
    struct err err;
    struct refunds *refunds = refunds_new(&err);
    int granted = 0;

    for (int i = 0; i < 3 * REFUNDS_A_DAY; i++)
        granted += refunds_grant(refunds, 7, NOON + i);
    is_int(granted, REFUNDS_A_DAY, "an account gets back REFUNDS_A_DAY jobs of a day");
    ok(refunds_grant(refunds, 8, NOON), "another account gets back its own");
    ok(refunds_grant(refunds, 7, NOON + 12LL * 3600 * 1000), "the next day counts anew");
    refunds_free(refunds);
    return done_testing();
}
