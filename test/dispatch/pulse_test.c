/* How many servers look for a job of which all have heard. */
#include "server/dispatch/pulse.h"

#include "tap.h"

/* How many of all chances make a server look that knows so many others. */
static int64_t lookers(int64_t others)
{
    int64_t n = 0;

    for (int chance = 0; chance <= UINT16_MAX; chance++)
        n += pulse_is_looker(others, (uint16_t) chance);
    return n;
}

int main(void)
{
    static const int64_t servers[] = { 16, 100, 1000, 10000 };

    is_int(lookers(0), 65536, "a server on its own looks at each news");
    is_int(lookers(PULSE_LOOKERS - 1), 65536, "and so do all of few");
    ok(lookers(PULSE_LOOKERS) < 65536, "of one more some are spared");
    for (size_t i = 0; i < sizeof servers / sizeof *servers; i++) {
        double mean = (double) (lookers(servers[i] - 1) * servers[i]) / 65536;

        ok(mean >= PULSE_LOOKERS && mean < PULSE_LOOKERS * 1.1, "of %d about %d look (%.2f)",
           (int) servers[i], PULSE_LOOKERS, mean);
    }
    return done_testing();
}
