/* The clock of the database, which all servers follow. See store_postgres_parts.h. */
#include "data/store_postgres/store_postgres_parts.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/system/log.h"

/* A clock that differs by less is left alone: the answer's way explains as much. */
#define CLOCK_SLACK_MS 20
#define CLOCK_WARN_MS  2000

void store_postgres_follow_clock(int64_t before, int64_t theirs, int64_t after)
{
    int64_t ahead = theirs - (before + after) / 2, change = ahead - clock_ahead_ms();

    if (llabs(change) <= (after - before) / 2 + CLOCK_SLACK_MS)
        return;
    if (llabs(change) > CLOCK_WARN_MS)
        log_warn("store.clock_differs", KV("ms", ahead),
                 KV("why", "the clock of this machine is not that of the database, which is "
                           "followed"));
    clock_follow(ahead);
}

int store_postgres_read_clock(struct store_postgres *s, struct err *err)
{
    int64_t before = clock_system_ms(), theirs;

    if (postgres_db_number(s->db, "SELECT platen.now_ms()", NULL, 0, &theirs, err) < 0)
        return -1;
    store_postgres_follow_clock(before, theirs, clock_system_ms());
    return 0;
}
