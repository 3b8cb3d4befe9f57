#include "base/clock.h"

#include "tap.h"

static void test_parse(void)
{
    static const struct {
        const char *text;
        int64_t wall_ms; /* -1: it is refused */
    } cases[] = {
        { "2026-11-21T07:01:59.123Z", 1795244519123 },
        { "2026-11-21T07:01:59Z", 1795244519000 },
        { "2026-11-21t07:01:59z", 1795244519000 },
        { "2026-11-21T07:01:59.1Z", 1795244519100 },
        { "2026-11-21T07:01:59.1239999Z", 1795244519123 },
        { "2026-11-21T08:31:59+01:30", 1795244519000 },
        { "2026-11-20T23:01:59-08:00", 1795244519000 },
        { "1970-01-01T00:00:00Z", 0 },
        { "2024-02-29T00:00:00Z", 1709164800000 },
        { "2016-12-31T23:59:60Z", 1483228799000 },
        { "1970-01-01T00:00:00+00:01", -1 },
        { "2026-02-29T00:00:00Z", -1 },
        { "2026-11-31T00:00:00Z", -1 },
        { "2026-13-01T00:00:00Z", -1 },
        { "2026-11-21T24:00:00Z", -1 },
        { "2026-11-21T07:01:59.Z", -1 },
        { "2026-11-21T07:01:59", -1 },
        { "2026-11-21T07:01Z", -1 },
        { "2026-11-21 07:01:59Z", -1 },
        { "2026-11-21", -1 },
        { "2026-11-21T07:01:59Z ", -1 },
        { "2026-11-21T07:01:59+0130", -1 },
        { "2026-11-21T07:01:59+01:3", -1 },
        { "+026-11-21T07:01:59Z", -1 },
        { "", -1 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t wall_ms = -1;

        is_int(clock_parse(cases[i].text, &wall_ms), cases[i].wall_ms >= 0, "\"%s\" is %s time",
               cases[i].text, cases[i].wall_ms >= 0 ? "a" : "no");
        is_int(wall_ms, cases[i].wall_ms, "and means what it says");
    }
}

int main(void)
{
    char text[CLOCK_TEXT];

    clock_hold(1795244519123); /* 2026-11-21T07:01:59.123Z */
    is_int(clock_wall_ms(), 1795244519123, "the wall clock can be fixed for tests");
    clock_format(clock_wall_ms(), text);
    is_str(text, "2026-11-21T07:01:59.123Z", "times are written as RFC 3339, UTC");
    clock_format(clock_month_start(clock_wall_ms()), text);
    is_str(text, "2026-11-01T00:00:00.000Z", "a month begins on its first day");
    clock_format(clock_month_end(clock_wall_ms()), text);
    is_str(text, "2026-12-01T00:00:00.000Z", "a month ends where the next one begins");
    clock_format(clock_month_end(1798675200000), text); /* 2026-12-31 */
    is_str(text, "2027-01-01T00:00:00.000Z", "December is followed by January");
    clock_hold(0);
    ok(clock_wall_ms() > 1600000000000, "the wall clock runs again after it was fixed");
    int64_t before = clock_mono_ms();
    ok(clock_mono_ms() >= before, "monotonic time never goes back");
    test_parse();
    return done_testing();
}
