#include "server/dispatch/fetcher.h"

#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "base/system/thread.h"
#include "data/blob/blob_name.h"
#include "declare/tool/pipeline.h"
#include "server/dispatch/fetch_result.h"
#include "server/dispatch/remote.h"
#include "server/webhook/file_client.h"
#include "server/webhook/page_client.h"

#define IDLE_MS    60000 /* a helper is ended after this time without a file */
#define SPARE_MS   10000 /* time that is allowed in addition to a request's own timeout */
#define REDIRECTED 6     /* requests that a file takes with its redirects at most */
#define LOOK_MS    200   /* how often a thread that waits for a file looks at its job's lease */
#define ATTEMPTS   3     /* to fetch a file whose host has trouble that may pass */
#define PAUSE_MS   1000  /* before the second attempt; before the third it is three times as long */
#define LOST_MS    1000  /* before a job is tried again whose helper has died */
#define SHORT_MS   8000  /* before a job is tried again for which the server lacked something */

#define SECRETS_BYTES ((size_t) 8 << 20)

/* One thread and the job it is at. */
struct slot {
    struct fetcher *fetcher;
    pthread_t thread;
    bool started;
    bool busy;          /* guarded by the fetcher's lock, as `job` is until the thread takes it */
    bool warm;          /* its helper runs; guarded by the lock */
    struct job job;     /* its own copy */
    struct lease lease; /* of the job */
    int cancel;         /* eventfd: the job was deleted */
    struct file_client client;
};

struct fetcher {
    struct execution_config config;
    char program[PATH_MAX];
    atomic_bool stopping;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t wake;
    struct execution_terms terms;
    struct webhook_own_terms requests;
    uint64_t serial; /* of `requests` */
    struct page_service pages;
    struct slot slots[FETCHER_JOBS];
};

/* What one attempt at a job needs. */
struct course {
    struct slot *slot;
    struct execution execution;
    struct execution_terms terms;
    const struct tool *tool; /* that takes the files; NULL: it is not known */
};

/* Why a job is not gone on with. */
enum course_end {
    COURSE_GOES_ON,
    COURSE_CANCELLED, /* the job was deleted, or another server has it */
    COURSE_STOPS      /* the server stops */
};

static enum course_end look(struct course *course)
{
    struct slot *slot = course->slot;
    struct pollfd cancelled = { .fd = slot->cancel, .events = POLLIN };

    if (poll(&cancelled, 1, 0) == 1 || !lease_progress(&slot->lease, 0))
        return COURSE_CANCELLED;
    return atomic_load(&slot->fetcher->stopping) ? COURSE_STOPS : COURSE_GOES_ON;
}

/* Waits for the response to the request that was sent. */
static int await_response(struct course *course, int64_t until, struct webhook_response *response,
                          enum course_end *end, struct err *err)
{
    struct slot *slot = course->slot;
    struct pollfd ready[2] = { { .fd = file_client_fd(&slot->client), .events = POLLIN },
                               { .fd = slot->cancel, .events = POLLIN } };
    int got = 0;

    while ((*end = look(course)) == COURSE_GOES_ON && got == 0) {
        got = file_client_receive(&slot->client, response, err);
        if (got == 0 && clock_mono_ms() > until) {
            file_client_end(&slot->client);
            return err_set(err, ERR_INTERNAL, "platen-webhook does not answer");
        }
        if (got == 0)
            poll(ready, COUNT(ready), LOOK_MS);
    }
    if (got > 0)
        *end = COURSE_GOES_ON;
    if (got != 0)
        return got < 0 ? -1 : 0;
    file_client_end(&slot->client); /* it would go on fetching */
    return err_set(err, ERR_INTERNAL, "the job is not needed any more");
}

static int ask_for_file(struct course *course, const struct remote_file *file, int64_t max_bytes,
                        int fd, struct webhook_response *response, enum course_end *end,
                        struct err *err)
{
    struct fetcher *f = course->slot->fetcher;
    struct webhook_own_terms terms;
    struct webhook_request request = {
        .max_bytes = max_bytes, .url = file->url, .headers = file->headers, .body = ""
    };
    uint64_t serial;
    int64_t until;
    int done;

    pthread_mutex_lock(&f->lock);
    serial = f->serial;
    done = webhook_own_terms_copy(&terms, &f->requests.values, err);
    pthread_mutex_unlock(&f->lock);
    if (done < 0)
        return -1;
    /* Without the lock: starting the helper, or ending an old one, takes a while. */
    until = clock_mono_ms() + terms.values.timeout_ms * REDIRECTED + SPARE_MS;
    done = file_client_ask(&course->slot->client, &terms.values, serial, &request, fd, err);
    webhook_own_terms_free(&terms);
    return done < 0 ? -1 : await_response(course, until, response, end, err);
}

static enum course_end pause_for(struct course *course, int64_t ms)
{
    struct pollfd cancelled = { .fd = course->slot->cancel, .events = POLLIN };
    int64_t until = clock_mono_ms() + ms;
    enum course_end end;

    while ((end = look(course)) == COURSE_GOES_ON && clock_mono_ms() < until)
        poll(&cancelled, 1, LOOK_MS);
    return end;
}

/* Fetches one file into a staging file, which the caller closes. */
static int fetch_file(struct course *course, const struct remote_file *file, int64_t max_bytes,
                      int *fd, int64_t *bytes, enum course_end *end, struct err *err)
{
    struct webhook_response response = { 0 };

    for (int i = 0;; i++) {
        scope_close(fd);
        *fd = blob_stage(course->execution.config->blobs, err);
        if (*fd < 0 || ask_for_file(course, file, max_bytes, *fd, &response, end, err) < 0)
            return -1;
        if (i + 1 == ATTEMPTS || !fetch_result_may_pass(&response))
            break;
        *end = pause_for(course, PAUSE_MS * (i ? 3 : 1));
        if (*end != COURSE_GOES_ON)
            return -1;
    }
    *bytes = response.bytes;
    log_info("fetch.attempt", KV("job", course->slot->job.id), KV("file", file->input + 1),
             KV("end", response.end), KV("status", response.http_status), KV("bytes", *bytes),
             KV("ms", response.duration_ms), KV("forbidden", response.forbidden ? "yes" : "no"));
    if (fetch_result_check(&response, file, err) < 0)
        return -1;
    return fetch_result_examine(*fd, *bytes, file, course->tool, err);
}

/* The tool that takes the files: of a pipeline the first one. */
static const struct tool *first_tool(const struct course *course)
{
    const struct job *job = &course->slot->job;
    json_t *params, *steps;
    const struct tool *tool;
    const char *name = job->tool;

    if (strcmp(name, PIPELINE_NAME) != 0)
        return catalog_find(course->execution.config->catalog, name, NULL);
    params = json_loads(job->params_json, 0, NULL);
    name = json_string_value(json_object_get(params, "steps"));
    steps = name ? json_loads(name, 0, NULL) : NULL;
    name = json_string_value(json_object_get(json_array_get(steps, 0), "tool"));
    tool = name ? catalog_find(course->execution.config->catalog, name, NULL) : NULL;
    json_decref(steps);
    json_decref(params);
    return tool;
}

static int read_plan(const struct course *course, struct remote_plan *plan, struct err *err)
{
    const struct job *job = &course->slot->job;
    AUTO_BUF struct buf text = BUF_EMPTY;
    AUTO_CLOSE int fd = -1;
    json_t *secrets;
    int64_t bytes;
    int done;

    fd = blob_open(course->execution.config->blobs, job->id, BLOB_NAME_SECRETS, SECRETS_BYTES,
                   &bytes, err);
    if (fd < 0 || fdio_read_all(fd, SECRETS_BYTES, &text, err) < 0)
        return -1;
    secrets = json_loads(buf_text(&text), 0, NULL);
    explicit_bzero(text.data, text.len);
    done = remote_read(json_string_value(json_object_get(secrets, REMOTE_SECRET)), plan, err);
    json_decref(secrets);
    return done;
}

/* Makes the files inputs of the job, and lets it wait for its run. */
static int hand_over(struct course *course, const struct remote_plan *plan, struct blob_item *items,
                     const int64_t *bytes, struct err *err)
{
    const struct execution_config *config = course->execution.config;
    const struct job *job = &course->slot->job;
    AUTO_FREE char *inputs = remote_arrived_inputs(job, plan, bytes);
    int64_t total = 0;
    int done;

    if (!inputs)
        return err_set(err, ERR_INTERNAL, "out of memory");
    for (size_t i = 0; i < plan->n; i++) {
        blob_name_input(plan->files[i].input, items[i].name);
        blob_remove(config->blobs, job->id, items[i].name); /* of an attempt that was cut off */
        total += bytes[i];
    }
    if (blob_publish(config->blobs, job->id, items, plan->n, err) < 0)
        return -1;
    done = store_fetched(config->store, job->id, job->attempt, clock_wall_ms(), total, inputs, err);
    if (done == 0)
        for (size_t i = 0; i < plan->n; i++)
            blob_remove(config->blobs, job->id, items[i].name);
    return done < 0 ? -1 : 0;
}

/* 0: the job waits for its run. On failure *end says whether that is for the job to bear. */
static int fetch_files(struct course *course, enum course_end *end, struct err *err)
{
    AUTO_REMOTE struct remote_plan plan = { 0 };
    AUTO_FREE struct blob_item *items = NULL;
    AUTO_FREE int64_t *bytes = NULL;
    int64_t left;
    int done = 0;

    *end = COURSE_GOES_ON;
    if (read_plan(course, &plan, err) < 0)
        return -1;
    items = calloc(plan.n + 1, sizeof *items);
    bytes = calloc(plan.n + 1, sizeof *bytes);
    if (!items || !bytes)
        return err_sys(err, "files to fetch");
    for (size_t i = 0; i < plan.n; i++)
        items[i].fd = -1;
    left = plan.max_bytes;
    for (size_t i = 0; i < plan.n && done == 0; i++) {
        const int64_t most = left < plan.max_file ? left : plan.max_file;

        done = fetch_file(course, &plan.files[i], most > 0 ? most : 1, &items[i].fd, &bytes[i], end,
                          err);
        left -= bytes[i];
    }
    if (done == 0)
        done = hand_over(course, &plan, items, bytes, err);
    for (size_t i = 0; i < plan.n; i++)
        scope_close(&items[i].fd);
    return done;
}

/* The trouble is the server's: the job is tried again, as often as a run would be. */
static bool is_ours(const struct err *err)
{
    return err->code == ERR_INTERNAL || err->code == ERR_STORAGE_FULL ||
           err->code == ERR_UNAVAILABLE || err->code == ERR_OVERLOADED;
}

static void end_course(struct course *course, enum course_end end, struct err *err)
{
    const struct job *job = &course->slot->job;

    if (end == COURSE_CANCELLED)
        return;
    if (end == COURSE_STOPS)
        execution_put_back(&course->execution, job, 0, true);
    else if (!is_ours(err))
        execution_fail(&course->execution, job, err);
    else if (execution_waits(&course->execution, job, err))
        execution_put_back(&course->execution, job, SHORT_MS, true);
    else if (job->attempt - job->spared >= course->terms.max_attempts)
        execution_fail(&course->execution, job, err);
    else
        execution_put_back(&course->execution, job, LOST_MS, false);
}

static void fetch_job(struct slot *slot)
{
    struct fetcher *f = slot->fetcher;
    struct course course = { .slot = slot };
    enum course_end end;
    struct err err;

    pthread_mutex_lock(&f->lock);
    course.terms = f->terms;
    pthread_mutex_unlock(&f->lock);
    course.execution = (struct execution){ .config = &f->config,
                                           .terms = &course.terms,
                                           .lease = &slot->lease,
                                           .aborting = &f->stopping,
                                           .cancel = slot->cancel };
    course.tool = first_tool(&course);
    if (fetch_files(&course, &end, &err) == 0)
        store_ring(f->config.store, STORE_RING_JOBS);
    else
        end_course(&course, end, &err);
    lease_end(&slot->lease);
}

/* The caller has the lock. Returns when there is a job, when the fetcher stops, or after IDLE_MS,
 * with which the helper is ended: other threads' jobs wake this one, too. */
static void wait_for_job(struct slot *slot)
{
    struct fetcher *f = slot->fetcher;
    int64_t until = clock_mono_ms() + IDLE_MS, left;

    while (!slot->busy && !atomic_load(&f->stopping) && (left = until - clock_mono_ms()) > 0)
        thread_cond_wait_ms(&f->wake, &f->lock, left);
    if (slot->busy || atomic_load(&f->stopping) || !slot->warm)
        return;
    slot->busy = true; /* not for a job now */
    pthread_mutex_unlock(&f->lock);
    file_client_end(&slot->client);
    pthread_mutex_lock(&f->lock);
    slot->busy = slot->warm = false;
}

static void *serve_slot(void *arg)
{
    struct slot *slot = arg;
    struct fetcher *f = slot->fetcher;
    uint64_t old;

    pthread_mutex_lock(&f->lock);
    while (!atomic_load(&f->stopping) || slot->busy) {
        if (!slot->busy) {
            wait_for_job(slot);
            continue;
        }
        pthread_mutex_unlock(&f->lock);
        fetch_job(slot);
        if (f->config.woken)
            f->config.woken(f->config.woken_arg);
        pthread_mutex_lock(&f->lock);
        if (read(slot->cancel, &old, sizeof old) < 0)
            old = 0; /* it was not cancelled */
        job_free(&slot->job);
        slot->warm = file_client_fd(&slot->client) >= 0;
        slot->busy = false;
    }
    pthread_mutex_unlock(&f->lock);
    file_client_end(&slot->client);
    return NULL;
}

static struct page_session *begin_fetching(void *arg, const struct page_address *page,
                                           struct err *err)
{
    struct fetcher *f = arg;
    struct webhook_own_terms terms;
    struct page_session *session;
    int done;

    pthread_mutex_lock(&f->lock);
    done = webhook_own_terms_copy(&terms, &f->requests.values, err);
    pthread_mutex_unlock(&f->lock);
    if (done < 0)
        return NULL;
    session = page_client_begin(f->program, &terms.values, page, err);
    webhook_own_terms_free(&terms);
    return session;
}

const struct page_service *fetcher_pages(const struct fetcher *f)
{
    return &f->pages;
}

struct fetcher *fetcher_new(const struct fetcher_config *config, struct err *err)
{
    struct fetcher *f = calloc(1, sizeof *f);

    if (!f) {
        err_sys(err, "fetcher");
        return NULL;
    }
    f->config = config->execution;
    f->terms = config->terms;
    f->pages = (struct page_service){
        f, begin_fetching, page_client_ask, page_client_fd, page_client_receive, page_client_end
    };
    pthread_mutex_init(&f->lock, NULL);
    thread_cond_init(&f->wake);
    for (size_t i = 0; i < FETCHER_JOBS; i++) {
        f->slots[i].fetcher = f;
        f->slots[i].cancel = -1;
        f->slots[i].client = FILE_CLIENT(f->program);
        lease_init(&f->slots[i].lease);
    }
    if (webhook_own_terms_copy(&f->requests, &config->requests, err) < 0 ||
        file_client_path(config->programs, f->program, sizeof f->program, err) < 0) {
        fetcher_free(f);
        return NULL;
    }
    return f;
}

int fetcher_change(struct fetcher *f, const struct execution_terms *terms,
                   const struct webhook_terms *requests, struct err *err)
{
    struct webhook_own_terms next, old;

    if (webhook_own_terms_copy(&next, requests, err) < 0)
        return -1;
    pthread_mutex_lock(&f->lock);
    old = f->requests;
    f->requests = next;
    f->terms = *terms;
    f->serial++;
    pthread_mutex_unlock(&f->lock);
    webhook_own_terms_free(&old);
    return 0;
}

/* A slot for a job of this account; NULL: there is none. The caller has the lock. */
static struct slot *find_slot(struct fetcher *f, int64_t account)
{
    struct slot *found = NULL;
    size_t own = 0;

    for (size_t i = 0; i < FETCHER_JOBS; i++) {
        struct slot *slot = &f->slots[i];

        own += slot->busy && slot->job.key_id == account;
        /* Rather one whose helper runs. */
        if (!slot->busy && (!found || slot->warm))
            found = slot;
    }
    return own < FETCHER_ACCOUNT ? found : NULL;
}

static bool start_slot(struct slot *slot, struct err *err)
{
    if (slot->cancel < 0)
        slot->cancel = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (slot->cancel < 0)
        return err_sys(err, "eventfd") == 0;
    if (!slot->started)
        slot->started = thread_start(&slot->thread, "fetch", serve_slot, slot, err) == 0;
    return slot->started;
}

bool fetcher_accept(struct fetcher *f, const struct job *job)
{
    struct slot *slot;
    struct err err;
    bool taken;

    pthread_mutex_lock(&f->lock);
    slot = atomic_load(&f->stopping) ? NULL : find_slot(f, job->key_id);
    taken = slot && start_slot(slot, &err) && job_copy(&slot->job, job, &err) == 0;
    if (taken) {
        lease_begin(&slot->lease, f->config.store, &slot->job, f->terms.lease_ms);
        slot->busy = true;
        pthread_cond_broadcast(&f->wake);
    }
    pthread_mutex_unlock(&f->lock);
    return taken;
}

struct lease *fetcher_lease(struct fetcher *f, size_t i)
{
    return &f->slots[i].lease;
}

void fetcher_cancel(struct fetcher *f, const char *job_id)
{
    const uint64_t one = 1;

    pthread_mutex_lock(&f->lock);
    for (size_t i = 0; i < FETCHER_JOBS; i++)
        if (f->slots[i].busy && strcmp(f->slots[i].job.id, job_id) == 0 &&
            write(f->slots[i].cancel, &one, sizeof one) < 0)
            log_warn("fetch.cancel_failed", KV("job", job_id));
    pthread_mutex_unlock(&f->lock);
}

void fetcher_stop(struct fetcher *f)
{
    if (!f)
        return;
    pthread_mutex_lock(&f->lock);
    atomic_store(&f->stopping, true);
    pthread_cond_broadcast(&f->wake);
    pthread_mutex_unlock(&f->lock);
    for (size_t i = 0; i < FETCHER_JOBS; i++)
        if (f->slots[i].started)
            pthread_join(f->slots[i].thread, NULL);
}

void fetcher_free(struct fetcher *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < FETCHER_JOBS; i++) {
        if (f->slots[i].cancel >= 0)
            close(f->slots[i].cancel);
        lease_destroy(&f->slots[i].lease);
    }
    webhook_own_terms_free(&f->requests);
    pthread_mutex_destroy(&f->lock);
    pthread_cond_destroy(&f->wake);
    free(f);
}
