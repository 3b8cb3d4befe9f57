#include "base/rate.h"

#include "tap.h"

int main(void)
{
    is_int(rate_recent(RATE_ACCEPTED, 60), 0, "at first nothing has happened");
    for (int i = 0; i < 5; i++)
        rate_note(RATE_ACCEPTED);
    rate_note(RATE_FAILED);
    is_int(rate_recent(RATE_ACCEPTED, 60), 5, "what happened just now is counted");
    is_int(rate_recent(RATE_ACCEPTED, RATE_SECONDS), 5, "in longer times too");
    is_int(rate_recent(RATE_FAILED, 60), 1, "each for itself");
    is_int(rate_recent(RATE_ACCEPTED, 1000000), 5, "a time beyond what is remembered is all");
    return done_testing();
}
