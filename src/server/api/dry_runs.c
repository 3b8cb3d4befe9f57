/* Who may have a dry run now: dry_run.h. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/scope.h"
#include "base/system/crew.h"
#include "base/system/log.h"
#include "server/api_submit/dry_run.h"

/* A dry run that waits or runs. */
struct place {
    int64_t account;
    bool runs;
    void (*run)(void *arg);
    void *arg;
};

struct dry_runs {
    struct crew *crew;
    int cancel;           /* eventfd */
    size_t of_account;    /* dry runs of one account at a time: a thread is left for others */
    pthread_mutex_t lock; /* guards what follows */
    struct place places[DRY_RUN_PLACES]; /* in the order in which they came */
    size_t n;
};

struct dry_runs *dry_runs_new(size_t threads, struct err *err)
{
    struct dry_runs *runs = calloc(1, sizeof *runs);

    if (!runs) {
        err_sys(err, "dry runs");
        return NULL;
    }
    runs->of_account = threads ? threads : 1;
    runs->cancel = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (runs->cancel < 0)
        err_sys(err, "eventfd");
    else
        runs->crew = crew_new("dry-run", runs->of_account + 1, err);
    if (!runs->crew) {
        scope_close(&runs->cancel);
        free(runs);
        return NULL;
    }
    pthread_mutex_init(&runs->lock, NULL);
    return runs;
}

void dry_runs_stop(struct dry_runs *runs)
{
    uint64_t one = 1;

    if (runs && write(runs->cancel, &one, sizeof one) < 0)
        log_warn("dry_runs.stop_failed", KV("errno", errno));
}

int dry_runs_cancel(const struct dry_runs *runs)
{
    return runs->cancel;
}

void dry_runs_free(struct dry_runs *runs)
{
    if (!runs)
        return;
    crew_free(runs->crew);
    close(runs->cancel);
    pthread_mutex_destroy(&runs->lock);
    free(runs);
}

int dry_run_asked(const struct http_request *req, struct err *err)
{
    const char *text = http_query(req, "dryRun");

    if (!text || strcmp(text, "false") == 0 || strcmp(text, "0") == 0)
        return 0;
    if (strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
        return 1;
    return err_field(err, ERR_INVALID_PARAMETER, "dryRun", "dryRun must be true or false");
}

static int enter(struct dry_runs *runs, const struct place *place, struct err *err)
{
    size_t own = 0;
    int entered = 0;

    pthread_mutex_lock(&runs->lock);
    for (size_t i = 0; i < runs->n; i++)
        own += runs->places[i].account == place->account;
    if (own == DRY_RUN_OF_KEY)
        entered = err_set(err, ERR_TOO_MANY_JOBS,
                          "%d dry runs of this key are in progress: wait for their responses",
                          DRY_RUN_OF_KEY);
    else if (runs->n == DRY_RUN_PLACES)
        entered = err_set(err, ERR_OVERLOADED, "too many dry runs are waiting; try again later");
    else
        runs->places[runs->n++] = *place;
    pthread_mutex_unlock(&runs->lock);
    return entered;
}

/* Under the lock: removes one that runs, or else one that waits. */
static void leave(struct dry_runs *runs, int64_t account, bool running)
{
    for (size_t i = 0; i < runs->n; i++) {
        if (runs->places[i].account != account || runs->places[i].runs != running)
            continue;
        runs->n--;
        memmove(&runs->places[i], &runs->places[i + 1], (runs->n - i) * sizeof *runs->places);
        return;
    }
}

void dry_runs_leave(struct dry_runs *runs, int64_t account)
{
    pthread_mutex_lock(&runs->lock);
    leave(runs, account, true);
    pthread_mutex_unlock(&runs->lock);
}

static size_t running(const struct dry_runs *runs, int64_t account)
{
    size_t n = 0;

    for (size_t i = 0; i < runs->n; i++)
        n += runs->places[i].runs && runs->places[i].account == account;
    return n;
}

/* The first that waits and whose account has not its share yet. False: there is none. */
static bool next(struct dry_runs *runs, struct place *out)
{
    bool found = false;

    pthread_mutex_lock(&runs->lock);
    for (size_t i = 0; i < runs->n && !found; i++) {
        struct place *place = &runs->places[i];

        found = !place->runs && running(runs, place->account) < runs->of_account;
        if (found) {
            place->runs = true;
            *out = *place;
        }
    }
    pthread_mutex_unlock(&runs->lock);
    return found;
}

/* One task is added for each dry run. Some waited until their account had no more than its share:
 * whoever ends one looks for them. */
static void work(void *arg)
{
    struct place place;

    while (next(arg, &place))
        place.run(place.arg);
}

int dry_runs_add(struct dry_runs *runs, int64_t account, void (*run)(void *arg), void *arg,
                 struct err *err)
{
    const struct place place = { .account = account, .run = run, .arg = arg };

    if (enter(runs, &place, err) < 0)
        return -1;
    if (crew_add(runs->crew, work, runs) == 0)
        return 0;
    pthread_mutex_lock(&runs->lock);
    leave(runs, account, false);
    pthread_mutex_unlock(&runs->lock);
    return err_sys(err, "dry run");
}
