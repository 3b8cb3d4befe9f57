#include "server/dispatch/refunds.h"

#include <pthread.h>
#include <stdlib.h>

#define SLOTS  4096
#define DAY_MS (24LL * 3600 * 1000)

struct slot {
    int64_t account, day;
    int n;
};

struct refunds {
    pthread_mutex_t lock; /* guards what follows */
    /* an account's slot follows from its number; of two with the same one the newer one has it */
    struct slot slots[SLOTS];
};

struct refunds *refunds_new(struct err *err)
{
    struct refunds *refunds = calloc(1, sizeof *refunds);

    if (refunds)
        pthread_mutex_init(&refunds->lock, NULL);
    else
        err_sys(err, "refunds");
    return refunds;
}

void refunds_free(struct refunds *refunds)
{
    if (refunds)
        pthread_mutex_destroy(&refunds->lock);
    free(refunds);
}

bool refunds_grant(struct refunds *refunds, int64_t account, int64_t now)
{
    struct slot *slot = &refunds->slots[(uint64_t) account % SLOTS];
    bool granted;

    pthread_mutex_lock(&refunds->lock);
    if (slot->account != account || slot->day != now / DAY_MS)
        *slot = (struct slot){ account, now / DAY_MS, 0 };
    granted = slot->n < REFUNDS_A_DAY;
    slot->n += granted;
    pthread_mutex_unlock(&refunds->lock);
    return granted;
}
