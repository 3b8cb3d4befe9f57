#include "server/dispatch/arrivals.h"

#include <stdio.h>

#include "base/clock.h"
#include "tap.h"

#define MANY 5000

int main(void)
{
    struct err err;
    struct arrivals *arrivals = arrivals_new(&err);
    static char ids[MANY][ID_TEXT];
    int64_t before, at;
    int known = 0;
    char id[ID_TEXT], other[ID_TEXT];

    id_new(id);
    is_int(arrivals_remove(arrivals, id), 0, "of a job that never came nothing is known");
    before = clock_mono_us();
    arrivals_note(arrivals, id);
    /* Another job in the same place: the same last digits. */
    snprintf(other, sizeof other, "%s", id);
    other[0] = other[0] == '0' ? '1' : '0';
    is_int(arrivals_remove(arrivals, other), 0, "nor of one that would stand in its place");
    at = arrivals_remove(arrivals, id);
    ok(at >= before && at <= clock_mono_us(), "of one that came it is known when");
    is_int(arrivals_remove(arrivals, id), 0, "once");
    arrivals_note(arrivals, id);
    arrivals_note(arrivals, other);
    is_int(arrivals_remove(arrivals, id), 0, "a newer one pushes it out");
    ok(arrivals_remove(arrivals, other) > 0, "and is known itself");
    arrivals_note(arrivals, "no id");
    is_int(arrivals_remove(arrivals, ""), 0, "what is no id does no harm");
    for (int i = 0; i < MANY; i++) {
        id_new(ids[i]);
        arrivals_note(arrivals, ids[i]);
    }
    for (int i = 0; i < MANY; i++)
        known += arrivals_remove(arrivals, ids[i]) > 0;
    ok(known > 900 && known <= 1024, "of many about the last thousand are (%d)", known);
    arrivals_free(arrivals);
    return done_testing();
}
