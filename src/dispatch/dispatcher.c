#include "dispatch/dispatcher.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/scope.h"
#include "base/thread.h"
#include "dispatch/intake.h"
#include "dispatch/result.h"
#include "dispatch/task.h"

#define IDLE_MS    1000 /* how often an idle thread looks for jobs nobody woke it for */
#define CRASHES    3    /* times a job's process may crash within one claim */
#define BACKOFF_MS 2000 /* before a job that was lost in another way is tried again */

/* One thread. There are two for each worker's place: while one writes its result to the disk, the
 * other's job runs. A job is claimed only by who has a place for it. */
struct slot {
    struct dispatcher *dispatcher;
    pthread_t thread;
    int cancel;           /* eventfd */
    char job_id[ID_TEXT]; /* the job it is at, or "" */
    bool placed;          /* it holds a worker's place */
    /* Of the job it is at: what was last said to the store. */
    int32_t attempt;
    int64_t told_at;
    double told;
    bool lost;
};

struct dispatcher {
    struct dispatcher_config config;
    struct slot *slots;
    size_t n_slots;
    atomic_bool stopping, aborting;
    pthread_mutex_t lock; /* guards what follows, and the slots' job_id */
    pthread_cond_t wake;  /* a job may have come */
    pthread_cond_t freed; /* a worker's place was freed, or a slot became idle */
    int running;          /* workers' places taken */
    size_t busy;          /* slots with a job */
    bool knocked;         /* somebody woke us since the last look */
};

/* False when the dispatcher stops. */
static bool take_place(struct dispatcher *d)
{
    bool taken = false;

    pthread_mutex_lock(&d->lock);
    while (!atomic_load(&d->stopping) && d->running >= d->config.workers)
        pthread_cond_wait(&d->freed, &d->lock);
    if (!atomic_load(&d->stopping)) {
        d->running++;
        taken = true;
    }
    pthread_mutex_unlock(&d->lock);
    return taken;
}

static void free_place(struct dispatcher *d)
{
    pthread_mutex_lock(&d->lock);
    d->running--;
    pthread_cond_broadcast(&d->freed);
    pthread_mutex_unlock(&d->lock);
}

/* Called while a job runs: renews the lease, notes the progress. False stops the job. */
static bool on_progress(void *cls, double fraction)
{
    struct slot *slot = cls;
    const struct dispatcher_config *config = &slot->dispatcher->config;
    int64_t now = clock_mono_ms();
    bool moved = fraction - slot->told >= 0.01 && now - slot->told_at >= 250;
    struct err err;
    int mine;

    if (atomic_load(&slot->dispatcher->aborting))
        return false;
    if (!moved && now - slot->told_at < config->lease_ms / 3)
        return true;
    mine = store_heartbeat(config->store, slot->job_id, slot->attempt,
                           clock_wall_ms() + config->lease_ms, fraction, &err);
    if (mine < 0) {
        log_warn("job.heartbeat_failed", KV("job", slot->job_id), KV("why", err.msg));
        return true; /* the lease may still hold: the store decides at the end */
    }
    slot->told_at = now;
    slot->told = fraction;
    slot->lost = mine == 0;
    return !slot->lost;
}

static int publish(struct slot *slot, const struct job *job, int fd, struct err *err)
{
    struct blob_item item = { .fd = fd };

    result_blob(job->attempt, item.name, sizeof item.name);
    return blob_publish(slot->dispatcher->config.blobs, job->id, &item, 1, err);
}

/* Ends the job in the store. Its result, if any, is published; if the job was taken away
 * meanwhile, that goes again. */
static void end_job(struct slot *slot, const struct job *job, const struct store_end *end)
{
    const struct dispatcher_config *config = &slot->dispatcher->config;
    struct err err;
    int done = store_finish(config->store, job->id, job->attempt, end, &err);

    if (done < 0) {
        /* It stays running until its lease ends, then is begun anew. */
        log_error("job.end_failed", KV("job", job->id), KV("why", err.msg));
    } else if (done == 0) {
        log_info("job.lost", KV("job", job->id), KV("attempt", job->attempt));
    }
    if (done <= 0) {
        char name[BLOB_NAME];

        result_blob(job->attempt, name, sizeof name);
        blob_remove(config->blobs, job->id, name);
        return;
    }
    intake_discard(config->blobs, job, end->state == JOB_COMPLETED);
    hub_wake(config->hub, job->id);
    if (end->state == JOB_COMPLETED)
        metric_add(METRIC_JOBS_COMPLETED, job->tool, 1);
    else
        metric_add(METRIC_JOBS_FAILED, err_name(end->code), 1);
    log_info("job.done", KV("job", job->id), KV("tool", job->tool),
             KV("status", job_status(end->state)),
             KV("error", end->state == JOB_FAILED ? err_name(end->code) : "none"),
             KV("attempt", job->attempt), KV("ms", end->duration_ms),
             KV("wait_ms", job->started_at - job->created_at), KV("in", job->input_bytes),
             KV("out", end->output_bytes));
}

static void fail_job(struct slot *slot, const struct job *job, const struct err *why,
                     int64_t duration_ms)
{
    int64_t now = clock_wall_ms();
    bool ours = why->code == ERR_INTERNAL || err_status(why->code) == 507;

    if (ours)
        log_error("job.failed", KV("job", job->id), KV("tool", job->tool), KV("why", why->msg));
    end_job(slot, job,
            &(struct store_end){
                .state = JOB_FAILED,
                .finished_at = now,
                .expires_at = now + slot->dispatcher->config.retention_ms,
                .duration_ms = duration_ms,
                .code = ours ? ERR_INTERNAL : why->code,
                .message = ours ? "the server could not do this job; it was not counted" : why->msg,
            });
}

static void put_back(struct slot *slot, const struct job *job, int64_t delay_ms)
{
    const struct dispatcher_config *config = &slot->dispatcher->config;
    struct err err;

    metric_add(METRIC_JOBS_RETRIED, job->tool, 1);
    log_info("job.put_back", KV("job", job->id), KV("attempt", job->attempt));
    if (store_release(config->store, job->id, job->attempt, clock_wall_ms() + delay_ms, &err) < 0)
        log_error("job.put_back_failed", KV("job", job->id), KV("why", err.msg));
}

static void complete_job(struct slot *slot, const struct job *job, const struct task *task,
                         const struct worker_result *result)
{
    int64_t now = clock_wall_ms();
    char name[RESULT_NAME];
    AUTO_FREE char *outputs = NULL, *warnings = NULL;
    struct err err;

    task_result_name(task, job, result->kind, name);
    outputs = result_outputs_json(result, name);
    warnings = result_warnings_json(result);
    if (!outputs || !warnings) {
        err_set(&err, ERR_INTERNAL, "out of memory");
        fail_job(slot, job, &err, result->run_ms);
        return;
    }
    if (publish(slot, job, task->output, &err) < 0) {
        log_error("job.publish_failed", KV("job", job->id), KV("why", err.msg));
        put_back(slot, job, BACKOFF_MS);
        return;
    }
    struct store_end end = { .state = JOB_COMPLETED,
                             .finished_at = now,
                             .expires_at = now + slot->dispatcher->config.retention_ms,
                             .duration_ms = result->run_ms,
                             .output_name = name,
                             .outputs_json = outputs,
                             .warnings_json = warnings,
                             .output_bytes = task_output_bytes(task) };
    metric_add(METRIC_JOB_BYTES_OUT, NULL, (double) end.output_bytes);
    end_job(slot, job, &end);
}

static void observe(const struct job *job, const struct worker_result *result)
{
    metric_observe(METRIC_JOB_RUN, job->tool, (double) result->run_ms / 1e3);
    metric_add(METRIC_JOB_CPU, job->tool, (double) result->cpu_ms / 1e3);
    metric_observe(METRIC_WORKER_MEMORY, NULL, (double) result->peak_bytes);
}

/* Runs the job's process, again if it crashes: a crash may be chance, or the machine's. */
static enum worker_end run_job(struct slot *slot, const struct job *job, struct task *task,
                               struct worker_result *result, struct err *err)
{
    struct dispatcher *d = slot->dispatcher;
    enum worker_end end = WORKER_LOST;

    for (int i = 0; i < CRASHES && end == WORKER_LOST; i++) {
        if (i > 0) {
            log_warn("job.crashed", KV("job", job->id), KV("tool", job->tool), KV("why", err->msg));
            metric_add(METRIC_JOBS_RETRIED, job->tool, 1);
            worker_result_free(result);
            if (task_rewind(task, err) < 0)
                break;
        }
        struct worker_job work = { .id = job->id,
                                   .tool = job->tool,
                                   .stem = job->stem,
                                   .params = task->params,
                                   .n_params = task->n_params,
                                   .inputs = task->inputs,
                                   .input_names = task->names,
                                   .n_inputs = task->n_inputs,
                                   .output = task->output,
                                   .scratch = task->scratch,
                                   .limits = d->config.limits,
                                   .cancel = slot->cancel,
                                   .progress = on_progress,
                                   .cls = slot };
        end = worker_run(task->worker, &work, result, err);
        observe(job, result);
    }
    return end;
}

static void do_job(struct slot *slot, const struct job *job)
{
    const struct dispatcher_config *config = &slot->dispatcher->config;
    AUTO_WORKER_RESULT struct worker_result result = { 0 };
    AUTO_TASK struct task task = TASK_EMPTY;
    enum worker_end ended;
    struct err err;

    slot->attempt = job->attempt;
    slot->told_at = clock_mono_ms();
    slot->told = 0;
    slot->lost = false;
    if (job->attempt == 1)
        metric_observe(METRIC_QUEUE_WAIT, NULL, (double) (job->started_at - job->created_at) / 1e3);
    if (job->attempt > config->max_attempts) {
        err_set(&err, ERR_INTERNAL, "begun %d times and never ended", job->attempt - 1);
        fail_job(slot, job, &err, 0);
        return;
    }
    if (task_open(&task, job, config->blobs, config->catalog, &err) < 0) {
        if (err.code == ERR_STORAGE_FULL)
            put_back(slot, job, BACKOFF_MS);
        else
            fail_job(slot, job, &err, 0);
        return;
    }
    ended = run_job(slot, job, &task, &result, &err);
    free_place(slot->dispatcher);
    slot->placed = false;
    switch (ended) {
    case WORKER_DONE:
        complete_job(slot, job, &task, &result);
        return;
    case WORKER_LOST:
        err_wrap(&err, "crashed %d times", CRASHES);
        err.code = ERR_INTERNAL;
        fail_job(slot, job, &err, result.run_ms);
        return;
    case WORKER_FAILED:
        /* A full disk is the server's trouble and passes: the job waits for it. */
        if (err.code == ERR_STORAGE_FULL)
            put_back(slot, job, BACKOFF_MS);
        else
            fail_job(slot, job, &err, result.run_ms);
        return;
    case WORKER_CANCELLED:
        /* Deleted, or lost to another: nothing is to be said. Else the server stops. */
        if (atomic_load(&slot->dispatcher->aborting) && !slot->lost)
            put_back(slot, job, 0);
        return;
    }
}

/* Takes the next job. False: there was none, or it could not be had. */
static bool claim_job(struct slot *slot, struct job *job)
{
    const struct dispatcher_config *config = &slot->dispatcher->config;
    struct dispatcher *d = slot->dispatcher;
    struct err err;
    int got = store_claim(config->store, clock_wall_ms(), config->lease_ms, job, &err);
    uint64_t old;

    if (got < 0)
        log_error("job.claim_failed", KV("why", err.msg));
    if (got <= 0)
        return false;
    pthread_mutex_lock(&d->lock);
    /* A cancel that came for the job before must not hit this one. */
    if (read(slot->cancel, &old, sizeof old) < 0)
        old = 0;
    snprintf(slot->job_id, sizeof slot->job_id, "%s", job->id);
    d->busy++;
    pthread_mutex_unlock(&d->lock);
    return true;
}

static void leave_job(struct slot *slot)
{
    struct dispatcher *d = slot->dispatcher;

    pthread_mutex_lock(&d->lock);
    slot->job_id[0] = '\0';
    d->busy--;
    pthread_cond_broadcast(&d->freed);
    pthread_mutex_unlock(&d->lock);
}

static void wait_for_jobs(struct dispatcher *d)
{
    pthread_mutex_lock(&d->lock);
    if (!d->knocked && !atomic_load(&d->stopping))
        thread_cond_wait_ms(&d->wake, &d->lock, IDLE_MS);
    d->knocked = false;
    pthread_mutex_unlock(&d->lock);
}

static void *serve(void *arg)
{
    struct slot *slot = arg;
    struct dispatcher *d = slot->dispatcher;

    while (take_place(d)) {
        AUTO_JOB struct job job = { 0 };
        bool claimed = claim_job(slot, &job);

        slot->placed = true;
        if (claimed)
            do_job(slot, &job);
        if (slot->placed)
            free_place(d);
        if (claimed)
            leave_job(slot);
        else
            wait_for_jobs(d);
    }
    return NULL;
}

struct dispatcher *dispatcher_new(const struct dispatcher_config *config, struct err *err)
{
    struct dispatcher *d = calloc(1, sizeof *d);
    size_t n = (size_t) config->workers * 2;

    if (d)
        d->slots = calloc(n, sizeof *d->slots);
    if (!d || !d->slots) {
        free(d);
        err_sys(err, "dispatcher");
        return NULL;
    }
    d->config = *config;
    pthread_mutex_init(&d->lock, NULL);
    thread_cond_init(&d->wake);
    thread_cond_init(&d->freed);
    for (; d->n_slots < n; d->n_slots++) {
        struct slot *slot = &d->slots[d->n_slots];

        slot->dispatcher = d;
        slot->cancel = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (slot->cancel < 0 || thread_start(&slot->thread, "job", serve, slot, err) < 0) {
            if (slot->cancel < 0)
                err_sys(err, "eventfd");
            dispatcher_stop(d, 0);
            return NULL;
        }
    }
    return d;
}

void dispatcher_wake(struct dispatcher *d)
{
    pthread_mutex_lock(&d->lock);
    d->knocked = true;
    pthread_cond_signal(&d->wake);
    pthread_mutex_unlock(&d->lock);
}

void dispatcher_cancel(struct dispatcher *d, const char *job_id)
{
    uint64_t one = 1;

    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < d->n_slots; i++)
        if (strcmp(d->slots[i].job_id, job_id) == 0 &&
            write(d->slots[i].cancel, &one, sizeof one) < 0)
            log_warn("job.cancel_failed", KV("job", job_id));
    pthread_mutex_unlock(&d->lock);
}

void dispatcher_stop(struct dispatcher *d, int64_t grace_ms)
{
    int64_t until = clock_mono_ms() + grace_ms, now;

    if (!d)
        return;
    atomic_store(&d->stopping, true);
    pthread_mutex_lock(&d->lock);
    pthread_cond_broadcast(&d->wake);
    pthread_cond_broadcast(&d->freed);
    while (d->busy && (now = clock_mono_ms()) < until)
        thread_cond_wait_ms(&d->freed, &d->lock, until - now);
    atomic_store(&d->aborting, true);
    pthread_mutex_unlock(&d->lock);
    for (size_t i = 0; i < d->n_slots; i++) {
        pthread_join(d->slots[i].thread, NULL);
        close(d->slots[i].cancel);
    }
    free(d->slots);
    pthread_mutex_destroy(&d->lock);
    pthread_cond_destroy(&d->wake);
    pthread_cond_destroy(&d->freed);
    free(d);
}
