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

struct dry_runs {
    struct crew *crew;
    int cancel;           /* eventfd */
    pthread_mutex_t lock; /* guards what follows */
    int64_t accounts[DRY_RUN_PLACES];
    size_t n;
};

struct dry_runs *dry_runs_new(size_t threads, struct err *err)
{
    struct dry_runs *runs = calloc(1, sizeof *runs);

    if (!runs) {
        err_sys(err, "dry runs");
        return NULL;
    }
    runs->cancel = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (runs->cancel < 0)
        err_sys(err, "eventfd");
    else
        runs->crew = crew_new("dry-run", threads ? threads : 1, err);
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

static int enter(struct dry_runs *runs, int64_t account, struct err *err)
{
    size_t own = 0;
    int entered = 0;

    pthread_mutex_lock(&runs->lock);
    for (size_t i = 0; i < runs->n; i++)
        own += runs->accounts[i] == account;
    if (own == DRY_RUN_OF_KEY)
        entered = err_set(err, ERR_TOO_MANY_JOBS,
                          "%d dry runs of this key are in progress: wait for their responses",
                          DRY_RUN_OF_KEY);
    else if (runs->n == DRY_RUN_PLACES)
        entered = err_set(err, ERR_OVERLOADED, "too many dry runs are waiting; try again later");
    else
        runs->accounts[runs->n++] = account;
    pthread_mutex_unlock(&runs->lock);
    return entered;
}

void dry_runs_leave(struct dry_runs *runs, int64_t account)
{
    pthread_mutex_lock(&runs->lock);
    for (size_t i = 0; i < runs->n; i++) {
        if (runs->accounts[i] == account) {
            runs->accounts[i] = runs->accounts[--runs->n];
            break;
        }
    }
    pthread_mutex_unlock(&runs->lock);
}

int dry_runs_add(struct dry_runs *runs, int64_t account, void (*run)(void *arg), void *arg,
                 struct err *err)
{
    if (enter(runs, account, err) < 0)
        return -1;
    if (crew_add(runs->crew, run, arg) == 0)
        return 0;
    dry_runs_leave(runs, account);
    return err_sys(err, "dry run");
}
