#include "base/rate.h"

#include "tap.h"

int main(void)
{
    is_int(rate_recent(RATE_ACCEPTED, 60), 0, "nothing is counted at first");
    for (int i = 0; i < 5; i++)
        rate_note(RATE_ACCEPTED);
    rate_note(RATE_FAILED);
    is_int(rate_recent(RATE_ACCEPTED, 60), 5, "events of this second are counted");
    is_int(rate_recent(RATE_ACCEPTED, RATE_SECONDS), 5,
           "events of this second are counted in the longest time");
    is_int(rate_recent(RATE_FAILED, 60), 1, "each rate is counted separately");
    is_int(rate_recent(RATE_ACCEPTED, 1000000), 5,
           "a time longer than the memory counts all events");
    return done_testing();
}
