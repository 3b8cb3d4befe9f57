#include "server/dispatch/pace.h"

#include <stdio.h>

#include "tap.h"

#define MB 1000000

int main(void)
{
    struct err err;
    struct pace *pace = pace_new(&err);
    int64_t before, after;
    char name[16];

    before = pace_expect(pace, "rotate", 1000);
    ok(before >= 1 && before < 100, "a small job of an unknown tool is expected to be short");
    ok(pace_expect(pace, "rotate", 100 * MB) > 10 * before, "a large one longer");
    for (int i = 0; i < 50; i++) {
        pace_note(pace, "rotate", 1000, 3);
        pace_note(pace, "word-to-pdf", 1000, 2500);
    }
    after = pace_expect(pace, "rotate", 1000);
    ok(after >= 2 && after <= 4, "it is what the last ones took (%d ms)", (int) after);
    after = pace_expect(pace, "word-to-pdf", 1000);
    ok(after >= 2400 && after <= 2600, "each tool by itself (%d ms)", (int) after);
    for (int i = 0; i < 50; i++)
        pace_note(pace, "compress", 10 * MB, 4000);
    after = pace_expect(pace, "compress", 20 * MB);
    ok(after > 7000 && after < 9000, "twice the bytes take twice the time (%d ms)", (int) after);
    ok(pace_expect(pace, "compress", 1000) < 100, "and few bytes little");
    pace_note(pace, "rotate", 0, 0);
    for (int i = 0; i < 200; i++)
        pace_note(pace, "rotate", MB, 0);
    is_int(pace_expect(pace, "rotate", 0), 1, "never less than a millisecond");
    ok(pace_expect(pace, "compress", INT64_MAX) <= 3600000, "nor without bounds");
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "tool-%d", i);
        pace_note(pace, name, 1000, 500);
    }
    ok(pace_expect(pace, "tool-99", 1000) > 0, "more tools than there is room for do no harm");
    pace_free(pace);
    return done_testing();
}
