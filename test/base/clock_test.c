#include "base/clock.h"

#include "tap.h"

int main(void)
{
    char text[CLOCK_TEXT];

    clock_hold(1795244519123); /* 2026-11-21T07:01:59.123Z */
    is_int(clock_wall_ms(), 1795244519123, "tests can hold the wall clock");
    clock_format(clock_wall_ms(), text);
    is_str(text, "2026-11-21T07:01:59.123Z", "times are written as RFC 3339, UTC");
    clock_format(clock_month_start(clock_wall_ms()), text);
    is_str(text, "2026-11-01T00:00:00.000Z", "a month begins on its first day");
    clock_format(clock_month_end(clock_wall_ms()), text);
    is_str(text, "2026-12-01T00:00:00.000Z", "and ends when the next one begins");
    clock_format(clock_month_end(1798675200000), text); /* 2026-12-31 */
    is_str(text, "2027-01-01T00:00:00.000Z", "December is followed by January");
    clock_hold(0);
    ok(clock_wall_ms() > 1600000000000, "let go, it runs again");
    int64_t before = clock_mono_ms();
    ok(clock_mono_ms() >= before, "monotonic time never goes back");
    return done_testing();
}
