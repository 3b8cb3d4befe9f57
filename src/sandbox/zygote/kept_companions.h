/*
 * kept_companions: companions that a job has left ready for the next one of the same account. They
 * are kept for a limited time, number of jobs and amount of memory; what has become of a job that
 * did not end as it should is never among them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sandbox/zygote/companion.h"

#define KEPT_COMPANIONS 4 /* limit of those that wait */

struct kept_companions {
    struct {
        struct companion companion;
        int64_t account, since; /* since: when its last job ended, by clock_mono_ms */
    } items[KEPT_COMPANIONS];
    size_t n;
};

/* Removes one of that account from the list. False: there is none. */
bool kept_companions_pop(struct kept_companions *kept, int64_t account, struct companion *out);
/* Adds one. False if it ran next to as many jobs as it may, or the account is 0. If the list was
 * full, the one that has waited longest is removed from it: *ended, whose number is 0 otherwise. */
bool kept_companions_put(struct kept_companions *kept, const struct companion *companion,
                         int64_t account, struct companion *ended);
/* Removes one that has waited too long, or uses more memory than it may. False: there is none. */
bool kept_companions_expire(struct kept_companions *kept, const struct companion_setup *setup,
                            struct companion *ended);
/* Removes the one with that process. False: there is none. */
bool kept_companions_lose(struct kept_companions *kept, pid_t pid, struct companion *ended);
