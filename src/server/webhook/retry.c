#include "server/webhook/retry.h"

int64_t retry_at(const struct retry_rules *rules, const struct delivery *delivery, int64_t now,
                 int64_t after_ms, uint32_t chance)
{
    int64_t wait = rules->first_ms, at;

    for (int32_t i = 0; i < delivery->tries && wait < RETRY_LONGEST_MS; i++)
        wait *= 3;
    if (wait > RETRY_LONGEST_MS)
        wait = RETRY_LONGEST_MS;
    wait = wait * 3 / 4 + (int64_t) (chance % 1024) * wait / 2 / 1024;
    if (after_ms > RETRY_LONGEST_MS)
        after_ms = RETRY_LONGEST_MS;
    if (wait < after_ms)
        wait = after_ms;
    at = now + wait;
    return at > delivery->since + rules->for_ms ? 0 : at;
}
