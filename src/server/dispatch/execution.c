#include "server/dispatch/execution.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/metric.h"
#include "base/rate.h"
#include "base/scope.h"
#include "base/system/log.h"
#include "data/blob/blob_name.h"
#include "server/dispatch/intake.h"
#include "server/dispatch/result.h"
#include "server/dispatch/shipping.h"
#include "server/dispatch/task.h"

#define CRASHES 3 /* times a job's process may crash within one execution */
/* Before a job is tried again that failed by the server's trouble: twice as long each time, 32 s at
 * most. STORE_AHEAD_MS and more would be taken for a clock that was turned back. */
#define BACKOFF_MS    1000
#define BACKOFF_TWICE 5
/* A job waits this long for space on the disk, descriptors or memory before its attempts count. */
#define SPACE_MS    (24LL * 3600 * 1000)
#define LITTLE_ROOM (16 << 20) /* bytes: a disk with less than this and an input is full */

#define SHOW_MS 100 /* least time between two figures for those who listen */

/* An execution while its process runs: what was last said to those who listen. */
struct course {
    const struct execution *execution;
    const struct job *job;
    int64_t shown_at; /* monotonic ms */
    double shown;
};

/* Listeners hear of a job's progress sooner and finer than the disk does. */
static void show(struct course *course, double fraction)
{
    int64_t now = clock_mono_ms();

    if (fraction - course->shown < 0.001 || now - course->shown_at < SHOW_MS)
        return;
    course->shown = fraction;
    course->shown_at = now;
    hub_report(course->execution->config->hub, course->job->id, course->job->attempt, fraction);
}

/* Called while a job runs. False stops the job. */
static bool on_progress(void *arg, double fraction)
{
    struct course *course = arg;

    if (atomic_load(course->execution->aborting))
        return false;
    show(course, fraction);
    return lease_progress(course->execution->lease, fraction);
}

/* Makes a result that is too large for the store a blob. A small one is read, and kept with the
 * job's end. */
static int publish(const struct execution *execution, const struct job *job,
                   const struct task *task, struct buf *small, struct err *err)
{
    struct blob_item item = { .fd = task->output };
    int64_t bytes = task_output_bytes(task);

    if (!job->has_secret && bytes > 0 && bytes <= (int64_t) STORE_SMALL)
        return fdio_read_first(task->output, (size_t) bytes, small, err);
    blob_name_result(job->attempt, item.name);
    return blob_publish(execution->config->blobs, job->id, &item, 1, err);
}

void execution_count_from_zero(const char *tool)
{
    char labels[64];

    snprintf(labels, sizeof labels, "%s,%s", tool, job_status(JOB_COMPLETED));
    metric_add(METRIC_JOBS_ENDED, labels, 0);
    snprintf(labels, sizeof labels, "%s,%s", tool, err_name(ERR_INTERNAL));
    metric_add(METRIC_JOBS_ENDED, labels, 0);
    metric_add(METRIC_JOBS_RETRIED, tool, 0);
}

static void count_end(const struct job *job, const struct store_end *end)
{
    char labels[64];

    snprintf(labels, sizeof labels, "%s,%s", job->tool,
             end->state == JOB_COMPLETED ? job_status(end->state) : err_name(end->code));
    metric_add(METRIC_JOBS_ENDED, labels, 1);
    rate_note(end->state == JOB_COMPLETED ? RATE_COMPLETED : RATE_FAILED);
}

static void note_room(const struct execution *execution, const struct job *job, bool lacks)
{
    if (execution->config->lacks)
        execution->config->lacks(execution->config->lacks_arg, job->id, lacks);
}

/* Ends the job in the store. Its result, if any, is published; if the job was taken away
 * meanwhile, that goes again. */
static void end_job(const struct execution *execution, const struct job *job,
                    const struct store_end *end)
{
    const struct execution_config *config = execution->config;
    struct err err;
    int done = store_finish(config->store, job->id, job->attempt, end, &err);

    if (done < 0) {
        /* The job stays running until its lease ends, and is then repeated. The result stays,
         * too: after a commit that failed on a broken disk, the row may still be read as
         * completed. */
        log_error("job.end_failed", KV("job", job->id), KV("why", err.msg));
        if (err.code == ERR_STORAGE_FULL)
            note_room(execution, job, true);
    } else if (done == 0) {
        log_info("job.lost", KV("job", job->id), KV("attempt", job->attempt));
    }
    if (done == 0) {
        char name[BLOB_NAME];

        blob_name_result(job->attempt, name);
        blob_remove(config->blobs, job->id, name);
    }
    if (done >= 0)
        note_room(execution, job, false);
    if (done <= 0)
        return;
    pace_note(config->pace, job->tool, job->input_bytes, end->duration_ms);
    intake_discard(config->blobs, job, end->state == JOB_COMPLETED);
    if (config->erased && (job->in_store & JOB_HAS_INPUTS))
        atomic_store(config->erased, true);
    hub_wake(config->hub, job->id);
    store_ring(config->store, STORE_RING_ENDS);
    if (job->callback_url)
        sender_wake(config->sender);
    if (config->ship && end->state == JOB_COMPLETED && shipping_is_wanted(job))
        config->ship(config->ship_arg);
    count_end(job, end);
    log_info("job.done", KV("job", job->id), KV("tool", job->tool),
             KV("status", job_status(end->state)),
             KV("error", end->state == JOB_FAILED ? err_name(end->code) : "none"),
             KV("attempt", job->attempt), KV("ms", end->duration_ms),
             KV("wait_ms", job->started_at - job->created_at), KV("in", job->input_bytes),
             KV("out", end->output_bytes));
}

static int64_t expiry(const struct execution *execution, const struct job *job, int64_t now)
{
    return now + (job->retention_ms ? job->retention_ms : execution->terms->retention_ms);
}

static void fail_job(const struct execution *execution, const struct job *job,
                     const struct err *why, int64_t duration_ms)
{
    int64_t now = clock_wall_ms();
    bool ours = why->code == ERR_INTERNAL || err_status(why->code) == 507;

    if (ours)
        log_error("job.failed", KV("job", job->id), KV("tool", job->tool), KV("why", why->msg));
    end_job(execution, job,
            &(struct store_end){
                .state = JOB_FAILED,
                .finished_at = now,
                .expires_at = expiry(execution, job, now),
                .duration_ms = duration_ms,
                .code = ours ? ERR_INTERNAL : why->code,
                .message = ours ? "the server could not do this job; it was not counted" : why->msg,
                .field = ours || !*why->field ? NULL : why->field,
                .charged = why->code == ERR_LIMIT_EXCEEDED &&
                           !refunds_grant(execution->config->refunds, job->key_id, now),
            });
}

void execution_fail(const struct execution *execution, const struct job *job, const struct err *why)
{
    fail_job(execution, job, why, 0);
}

/* The store needs room on the disk too: until it has some,
 * the job stays ours. */
void execution_put_back(const struct execution *execution, const struct job *job, int64_t delay_ms,
                        bool spared)
{
    static const struct timespec pause = { .tv_nsec = 500000000 };
    int done;
    struct err err;

    metric_add(METRIC_JOBS_RETRIED, job->tool, 1);
    log_info("job.put_back", KV("job", job->id), KV("attempt", job->attempt));
    while ((done = store_release(execution->config->store, job->id, job->attempt,
                                 clock_wall_ms() + delay_ms, spared, &err)) < 0 &&
           err.code == ERR_STORAGE_FULL && !atomic_load(execution->aborting))
        nanosleep(&pause, NULL);
    if (done < 0)
        log_error("job.put_back_failed", KV("job", job->id), KV("why", err.msg));
    if (done > 0 && delay_ms == 0)
        store_ring(execution->config->store, STORE_RING_JOBS);
}

bool execution_waits(const struct execution *execution, const struct job *job,
                     const struct err *why)
{
    /* ERR_UNAVAILABLE: of files that are kept elsewhere (blob.h, far). */
    bool lacks = why->code == ERR_STORAGE_FULL || why->code == ERR_UNAVAILABLE ||
                 why->code == ERR_OVERLOADED || why->shortage;

    if (why->code == ERR_STORAGE_FULL)
        note_room(execution, job, true);
    return lacks && clock_wall_ms() - job->created_at < SPACE_MS;
}

/* The trouble is the server's, and may pass. A shortage passes: the job waits for that. */
static void try_again(const struct execution *execution, const struct job *job, struct task *task,
                      const struct err *why)
{
    int twice = job->attempt < BACKOFF_TWICE ? job->attempt : BACKOFF_TWICE;
    bool waits = execution_waits(execution, job, why);

    log_warn("job.troubled", KV("job", job->id), KV("tool", job->tool), KV("why", why->msg));
    task_close(task); /* the store needs room too */
    execution_put_back(execution, job, (int64_t) BACKOFF_MS << twice, waits);
}

static void count_pages(const struct job *job, const struct worker_result *result)
{
    int64_t pages = 0;

    for (size_t i = 0; i < result->n_outputs; i++)
        pages += result->outputs[i].pages;
    if (pages)
        metric_observe(METRIC_JOB_PAGES, job->tool, (double) pages);
}

static void complete_job(const struct execution *execution, const struct job *job,
                         struct task *task, const struct worker_result *result)
{
    int64_t now = clock_wall_ms();
    char name[RESULT_NAME];
    AUTO_FREE char *outputs = NULL, *warnings = NULL;
    AUTO_BUF struct buf small = BUF_EMPTY;
    struct err err;

    task_result_name(task, job, result->kind, name);
    outputs = result_outputs_json(result, name);
    warnings = result_warnings_json(result);
    if (!outputs || !warnings) {
        err_set(&err, ERR_INTERNAL, "out of memory");
        fail_job(execution, job, &err, result->run_ms);
        return;
    }
    if (shipping_prepare(execution->config->store, execution->config->blobs, job, outputs, now,
                         &err) < 0 ||
        publish(execution, job, task, &small, &err) < 0) {
        try_again(execution, job, task, &err);
        return;
    }
    struct store_end end = { .state = JOB_COMPLETED,
                             .finished_at = now,
                             .expires_at = expiry(execution, job, now),
                             .duration_ms = result->run_ms,
                             .output_name = name,
                             .outputs_json = outputs,
                             .warnings_json = warnings,
                             .output_bytes = task_output_bytes(task),
                             .result = small.len ? small.data : NULL };
    metric_add(METRIC_JOB_BYTES_OUT, NULL, (double) end.output_bytes);
    metric_observe(METRIC_JOB_SIZE_OUT, job->tool, (double) end.output_bytes);
    count_pages(job, result);
    end_job(execution, job, &end);
}

static void observe(const struct job *job, const struct worker_result *result)
{
    metric_observe(METRIC_JOB_RUN, job->tool, (double) result->run_ms / 1e3);
    metric_add(METRIC_JOB_CPU, job->tool, (double) result->cpu_ms / 1e3);
    metric_observe(METRIC_WORKER_MEMORY, job->tool, (double) result->peak_bytes);
}

/* From the moment the 202 could be sent to the first process that does the work. */
static void observe_start(const struct execution *execution, const struct job *job,
                          const struct worker_result *result)
{
    int64_t accepted = arrivals_remove(execution->config->arrivals, job->id);
    int64_t us = result->started_us - accepted;

    if (accepted == 0 || result->started_us == 0)
        return;
    if (us < 0) /* somebody looked for jobs just then, and was faster than the note */
        us = 0;
    metric_observe(METRIC_JOB_START, job->tool, (double) us / 1e6);
    log_debug("job.started", KV("job", job->id), KV("tool", job->tool), KV("us", us));
}

/* Runs the job's process, again if it crashes: a crash may be chance, or the machine's. */
static enum worker_end run_job(struct course *course, struct task *task,
                               struct worker_result *result, struct err *err)
{
    const struct execution *execution = course->execution;
    const struct job *job = course->job;
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
                               .limits = execution->terms->limits,
                               .services = execution->config->services,
                               .pages = execution->config->pages,
                               .cancel = execution->cancel,
                               .progress = on_progress,
                               .arg = course };
    enum worker_end end = WORKER_LOST;

    work.limits.cores = execution->cores;
    if (execution->terms->reuse)
        work.reuse = (struct worker_reuse){ job->key_id, execution->terms->reuse_scripts };
    for (int i = 0; i < CRASHES && end == WORKER_LOST; i++) {
        if (i > 0) {
            log_warn("job.crashed", KV("job", job->id), KV("tool", job->tool), KV("why", err->msg));
            metric_add(METRIC_JOBS_RETRIED, job->tool, 1);
            worker_result_free(result);
            if (task_rewind(task, err) < 0)
                break;
        }
        end = task_run(task, &work, result, err);
        observe(job, result);
        if (i == 0)
            observe_start(execution, job, result);
    }
    return end;
}

/* Whether the job failed by what the server lacked. A tool whose library could not write its result
 * does not know why; the disk does. */
static bool is_shortage(const struct execution *execution, const struct job *job, struct err *err)
{
    struct err ignored;
    int64_t room;

    if (err->code == ERR_INTERNAL && !err->shortage &&
        blob_room(execution->config->blobs, &room, NULL, &ignored) == 0 &&
        room < job->input_bytes + LITTLE_ROOM)
        err->code = ERR_STORAGE_FULL;
    return err->code == ERR_STORAGE_FULL || err->shortage;
}

static void end_execution(const struct course *course, enum worker_end end, struct task *task,
                          const struct worker_result *result, struct err *err)
{
    const struct execution *execution = course->execution;

    switch (end) {
    case WORKER_DONE:
        complete_job(execution, course->job, task, result);
        return;
    case WORKER_LOST:
        err_wrap(err, "crashed %d times", CRASHES);
        err->code = ERR_INTERNAL;
        fail_job(execution, course->job, err, result->run_ms);
        return;
    case WORKER_FAILED:
        if (is_shortage(execution, course->job, err))
            try_again(execution, course->job, task, err);
        else
            fail_job(execution, course->job, err, result->run_ms);
        return;
    case WORKER_CANCELLED:
        /* Deleted, or lost to another: nothing is to be said. Else the server stops. */
        if (atomic_load(execution->aborting) && !lease_is_lost(execution->lease))
            execution_put_back(execution, course->job, 0, true);
        return;
    }
}

/* Whether the claim holds. Another server that took the job over, because this one stood still, has
 * removed the inputs when it was done. */
static bool is_ours(const struct execution *execution, const struct job *job)
{
    struct err err;

    return store_heartbeat(execution->config->store, job->id, job->attempt,
                           clock_wall_ms() + execution->terms->lease_ms, 0, &err) != 0;
}

void execution_run(const struct execution *execution, const struct job *job)
{
    AUTO_WORKER_RESULT struct worker_result result = { 0 };
    AUTO_TASK struct task task = TASK_EMPTY;
    struct course course = { .execution = execution, .job = job };
    enum worker_end end;
    struct err err;

    lease_begin(execution->lease, execution->config->store, job, execution->terms->lease_ms);
    hub_report(execution->config->hub, job->id, job->attempt, 0);
    if (job->attempt == 1)
        metric_observe(METRIC_QUEUE_WAIT, job->tool,
                       (double) (job->started_at - job->created_at) / 1e3);
    if (job->attempt - job->spared > execution->terms->max_attempts) {
        err_set(&err, ERR_INTERNAL, "the job was started %d times and did not end",
                job->attempt - 1);
        fail_job(execution, job, &err, 0);
    } else if (task_open(&task, job, execution->config->store, execution->config->blobs,
                         execution->config->catalog, &err) < 0) {
        execution->left(execution->arg);
        if (err.code == ERR_NOT_FOUND && !is_ours(execution, job)) {
            log_info("job.lost", KV("job", job->id), KV("attempt", job->attempt));
        } else if (err.code == ERR_NOT_FOUND) { /* an input is lost */
            err.code = ERR_INTERNAL;
            fail_job(execution, job, &err, 0);
        } else {
            try_again(execution, job, &task, &err);
        }
    } else if (task.test && strcmp(task.test, INTAKE_TEST_FAILS) == 0) {
        execution->left(execution->arg);
        err_set(&err, ERR_CORRUPT_FILE, "the job failed, as X-Test-Outcome asked for");
        fail_job(execution, job, &err, 0);
    } else {
        end = run_job(&course, &task, &result, &err);
        execution->left(execution->arg);
        end_execution(&course, end, &task, &result, &err);
    }
    lease_end(execution->lease);
}
