#include "server/api_call/rates.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* Jobs are counted in cells of half a second: the last minute lies in 121 of them. */
#define CELL_MS STORE_PERMIT_CELL_MS
#define CELLS   STORE_PERMIT_CELLS
#define BUCKETS 1024

struct account {
    struct account *next;
    int64_t id;
    int64_t at;            /* number of the newest cell */
    uint32_t cells[CELLS]; /* [0]: the newest */
    /* With a store that servers share. */
    int64_t permits;       /* that this server has left */
    int64_t left;          /* of all, when the store was asked last */
    int64_t asked_ms;      /* when that was */
    int64_t refused_until; /* the store has none before */
};

struct rates {
    pthread_mutex_t lock; /* guards what follows */
    struct account *buckets[BUCKETS];
};

struct rates *rates_new(struct err *err)
{
    struct rates *rates = calloc(1, sizeof *rates);

    if (rates)
        pthread_mutex_init(&rates->lock, NULL);
    else
        err_sys(err, "rates");
    return rates;
}

void rates_free(struct rates *rates)
{
    if (!rates)
        return;
    for (size_t i = 0; i < BUCKETS; i++) {
        while (rates->buckets[i]) {
            struct account *account = rates->buckets[i];

            rates->buckets[i] = account->next;
            free(account);
        }
    }
    pthread_mutex_destroy(&rates->lock);
    free(rates);
}

/* Moves the cells to the present. */
static void turn(struct account *account, int64_t now)
{
    int64_t steps = now / CELL_MS - account->at;

    if (steps <= 0)
        return;
    if (steps > CELLS)
        steps = CELLS;
    memmove(account->cells + steps, account->cells,
            (size_t) (CELLS - steps) * sizeof *account->cells);
    memset(account->cells, 0, (size_t) steps * sizeof *account->cells);
    account->at = now / CELL_MS;
}

static int64_t used(const struct account *account)
{
    int64_t sum = 0;

    for (size_t i = 0; i < CELLS; i++)
        sum += account->cells[i];
    return sum;
}

static bool is_idle(const struct account *account, int64_t now)
{
    return now / CELL_MS - account->at >= CELLS && now - account->asked_ms >= CELLS * CELL_MS &&
           now >= account->refused_until;
}

/* The account's counts; NULL: it has none. Frees those of accounts that have submitted nothing for
 * a minute. */
static struct account *find_account(struct rates *rates, int64_t id, int64_t now)
{
    struct account **at = &rates->buckets[(uint64_t) id % BUCKETS], *found = NULL;

    while (*at) {
        struct account *account = *at;

        if (account->id != id && is_idle(account, now)) {
            *at = account->next;
            free(account);
            continue;
        }
        if (account->id == id)
            found = account;
        at = &account->next;
    }
    if (found)
        turn(found, now);
    return found;
}

static struct account *find_or_make(struct rates *rates, int64_t id, int64_t now)
{
    struct account *found = find_account(rates, id, now);

    if (found)
        return found;
    found = calloc(1, sizeof *found);
    if (!found)
        return NULL;
    *found = (struct account){ .next = rates->buckets[(uint64_t) id % BUCKETS],
                               .id = id,
                               .at = now / CELL_MS,
                               .asked_ms = now - CELLS * CELL_MS };
    rates->buckets[(uint64_t) id % BUCKETS] = found;
    return found;
}

/* When the count is below the limit again: the oldest cells leave first. */
static int64_t wait_ms(const struct account *account, int64_t limit, int64_t now)
{
    int64_t sum = used(account);

    for (int64_t i = CELLS - 1; i >= 0; i--) {
        sum -= account->cells[i];
        if (account->cells[i] && sum < limit)
            return (account->at - i + CELLS) * CELL_MS - now;
    }
    return 0;
}

static void report(int64_t limit, int64_t left, int64_t ms, struct rates_state *rate)
{
    *rate = (struct rates_state){ limit, left > 0 ? left : 0, ms > 0 ? (ms + 999) / 1000 : 0 };
}

static int refuse_job(const struct rates_state *rate, struct err *err)
{
    return err_set(err, ERR_RATE_LIMITED,
                   "more than %lld jobs in a minute: send the next one in %lld s",
                   (long long) rate->limit, (long long) rate->seconds);
}

/* Decides by what this server counted. */
static int count_alone(struct account *account, int64_t limit, int64_t now,
                       struct rates_state *rate, struct err *err)
{
    bool free_place = used(account) < limit;

    if (free_place)
        account->cells[0]++;
    report(limit, limit - used(account), wait_ms(account, free_place ? INT64_MAX : limit, now),
           rate);
    return free_place ? 0 : refuse_job(rate, err);
}

/* 1: decided by the permits that this server has; 0: the store has to be asked. */
static int use_permit(struct account *account, int64_t limit, int64_t now, struct rates_state *rate)
{
    if (account->permits > 0) {
        account->permits--;
        report(limit, account->left + account->permits, CELLS * CELL_MS, rate);
        return 1;
    }
    if (now < account->refused_until) {
        report(limit, 0, account->refused_until - now, rate);
        return -1;
    }
    return 0;
}

/* What the store said; others may have asked meanwhile. */
static bool keep_permits(struct account *account, const struct store_permits *got, int64_t limit,
                         int64_t now, struct rates_state *rate)
{
    account->asked_ms = now;
    account->left = limit - got->used;
    if (got->granted == 0)
        account->refused_until = now + got->wait_ms;
    account->permits += got->granted;
    return use_permit(account, limit, now, rate) > 0;
}

static int count_shared(struct rates *rates, struct store *store, int64_t id, int64_t limit,
                        struct rates_state *rate, struct err *err)
{
    struct store_permits got;
    struct account *account;
    bool taken;
    int64_t now;

    if (store_permit(store, id, limit, rates_slice(limit), &got, err) < 0)
        return -1;
    now = clock_mono_ms();
    pthread_mutex_lock(&rates->lock);
    account = find_or_make(rates, id, now);
    taken = account && keep_permits(account, &got, limit, now, rate);
    pthread_mutex_unlock(&rates->lock);
    if (!account)
        return err_sys(err, "rates");
    return taken ? 0 : refuse_job(rate, err);
}

int rates_count(struct rates *rates, struct store *store, int64_t id, int64_t limit,
                struct rates_state *rate, struct err *err)
{
    int64_t now = clock_mono_ms();
    struct account *account;
    int done = 0;

    *rate = (struct rates_state){ limit, 0, 0 };
    pthread_mutex_lock(&rates->lock);
    account = find_or_make(rates, id, now);
    if (!account)
        done = err_sys(err, "rates");
    else if (!store_is_shared(store))
        done = count_alone(account, limit, now, rate, err) < 0 ? -1 : 1;
    else if ((done = use_permit(account, limit, now, rate)) < 0)
        refuse_job(rate, err);
    pthread_mutex_unlock(&rates->lock);
    if (done != 0)
        return done > 0 ? 0 : -1;
    return count_shared(rates, store, id, limit, rate, err);
}

void rates_look(struct rates *rates, int64_t id, int64_t limit, struct rates_state *rate)
{
    int64_t now = clock_mono_ms();
    const struct account *account;

    *rate = (struct rates_state){ limit, limit, 0 };
    pthread_mutex_lock(&rates->lock);
    account = find_account(rates, id, now);
    if (account && now - account->asked_ms < CELLS * CELL_MS)
        report(limit, account->left + account->permits,
               account->refused_until > now ? account->refused_until - now : CELLS * CELL_MS, rate);
    else if (account)
        report(limit, limit - used(account), wait_ms(account, INT64_MAX, now), rate);
    pthread_mutex_unlock(&rates->lock);
}
