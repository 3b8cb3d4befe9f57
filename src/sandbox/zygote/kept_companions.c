#include "sandbox/zygote/kept_companions.h"

#include <string.h>

#include "base/clock.h"

#define JOBS    50 /* limit of the jobs next to which one companion runs */
#define IDLE_MS 30000

/* They stay in the order in which they were added. */
static struct companion remove_at(struct kept_companions *kept, size_t i)
{
    struct companion companion = kept->items[i].companion;

    kept->n--;
    memmove(kept->items + i, kept->items + i + 1, (kept->n - i) * sizeof *kept->items);
    return companion;
}

bool kept_companions_pop(struct kept_companions *kept, int64_t account, struct companion *out)
{
    /* The last one was used last: those that are not needed expire. */
    for (size_t i = kept->n; account != 0 && i-- > 0;)
        if (kept->items[i].account == account) {
            *out = remove_at(kept, i);
            return true;
        }
    return false;
}

bool kept_companions_put(struct kept_companions *kept, const struct companion *companion,
                         int64_t account, struct companion *ended)
{
    *ended = (struct companion){ 0 };
    if (account == 0 || companion->jobs >= JOBS)
        return false;
    if (kept->n == KEPT_COMPANIONS)
        *ended = remove_at(kept, 0);
    kept->items[kept->n].companion = *companion;
    kept->items[kept->n].account = account;
    kept->items[kept->n++].since = clock_mono_ms();
    return true;
}

bool kept_companions_expire(struct kept_companions *kept, const struct companion_setup *setup,
                            struct companion *ended)
{
    int64_t now = clock_mono_ms();

    for (size_t i = 0; i < kept->n; i++)
        if (now - kept->items[i].since > IDLE_MS ||
            companion_bytes(kept->items[i].companion.pid) > setup->idle_bytes) {
            *ended = remove_at(kept, i);
            return true;
        }
    return false;
}

bool kept_companions_lose(struct kept_companions *kept, pid_t pid, struct companion *ended)
{
    for (size_t i = 0; i < kept->n; i++)
        if (kept->items[i].companion.pid == pid) {
            *ended = remove_at(kept, i);
            return true;
        }
    return false;
}
