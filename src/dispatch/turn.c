#include "dispatch/turn.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/metric.h"
#include "base/rate.h"
#include "base/scope.h"
#include "dispatch/intake.h"
#include "dispatch/result.h"
#include "dispatch/task.h"

#define CRASHES    3    /* times a job's process may crash within one turn */
#define BACKOFF_MS 2000 /* before a job that was lost in another way is tried again */

#define SHOW_MS 100 /* least time between two figures for those who listen */

/* A turn while its process runs: what was last said to the store, and to those who listen. */
struct lease {
    const struct turn *turn;
    const struct job *job;
    int64_t told_at; /* monotonic ms */
    double told;
    int64_t shown_at;
    double shown;
    bool lost;
};

/* Listeners hear of a job's progress sooner and finer than the disk does. */
static void show(struct lease *lease, double fraction, int64_t now)
{
    if (fraction - lease->shown < 0.001 || now - lease->shown_at < SHOW_MS)
        return;
    lease->shown = fraction;
    lease->shown_at = now;
    hub_tell(lease->turn->config->hub, lease->job->id, lease->job->attempt, fraction);
}

/* Called while a job runs: renews the lease, notes the progress. False stops the job. */
static bool on_progress(void *cls, double fraction)
{
    struct lease *lease = cls;
    const struct turn_config *config = lease->turn->config;
    const int64_t lease_ms = lease->turn->terms->lease_ms;
    const struct job *job = lease->job;
    int64_t now = clock_mono_ms();
    bool moved = fraction - lease->told >= 0.01 && now - lease->told_at >= 250;
    struct err err;
    int mine;

    if (atomic_load(lease->turn->aborting))
        return false;
    show(lease, fraction, now);
    if (!moved && now - lease->told_at < lease_ms / 3)
        return true;
    mine = store_heartbeat(config->store, job->id, job->attempt, clock_wall_ms() + lease_ms,
                           fraction, &err);
    if (mine < 0) {
        log_warn("job.heartbeat_failed", KV("job", job->id), KV("why", err.msg));
        return true; /* the lease may still hold: the store decides at the end */
    }
    lease->told_at = now;
    lease->told = fraction;
    lease->lost = mine == 0;
    return !lease->lost;
}

static int publish(const struct turn *turn, const struct job *job, int fd, struct err *err)
{
    struct blob_item item = { .fd = fd };

    result_blob(job->attempt, item.name, sizeof item.name);
    return blob_publish(turn->config->blobs, job->id, &item, 1, err);
}

static void count_end(const struct job *job, const struct store_end *end)
{
    char labels[64];

    snprintf(labels, sizeof labels, "%s,%s", job->tool,
             end->state == JOB_COMPLETED ? job_status(end->state) : err_name(end->code));
    metric_add(METRIC_JOBS_ENDED, labels, 1);
    rate_note(end->state == JOB_COMPLETED ? RATE_COMPLETED : RATE_FAILED);
}

/* Ends the job in the store. Its result, if any, is published; if the job was taken away
 * meanwhile, that goes again. */
static void end_job(const struct turn *turn, const struct job *job, const struct store_end *end)
{
    const struct turn_config *config = turn->config;
    struct err err;
    int done = store_finish(config->store, job->id, job->attempt, end, &err);

    if (done < 0) {
        /* It stays running until its lease ends, then is begun anew. The result stays too: of a
         * commit that failed on a broken disk nobody can say that it will not be read there. */
        log_error("job.end_failed", KV("job", job->id), KV("why", err.msg));
    } else if (done == 0) {
        log_info("job.lost", KV("job", job->id), KV("attempt", job->attempt));
    }
    if (done == 0) {
        char name[BLOB_NAME];

        result_blob(job->attempt, name, sizeof name);
        blob_remove(config->blobs, job->id, name);
    }
    if (done <= 0)
        return;
    pace_note(config->pace, job->tool, job->input_bytes, end->duration_ms);
    intake_discard(config->blobs, job, end->state == JOB_COMPLETED);
    hub_wake(config->hub, job->id);
    if (job->callback_url)
        sender_wake(config->sender);
    count_end(job, end);
    log_info("job.done", KV("job", job->id), KV("tool", job->tool),
             KV("status", job_status(end->state)),
             KV("error", end->state == JOB_FAILED ? err_name(end->code) : "none"),
             KV("attempt", job->attempt), KV("ms", end->duration_ms),
             KV("wait_ms", job->started_at - job->created_at), KV("in", job->input_bytes),
             KV("out", end->output_bytes));
}

static int64_t expiry(const struct turn *turn, const struct job *job, int64_t now)
{
    return now + (job->retention_ms ? job->retention_ms : turn->terms->retention_ms);
}

static void fail_job(const struct turn *turn, const struct job *job, const struct err *why,
                     int64_t duration_ms)
{
    int64_t now = clock_wall_ms();
    bool ours = why->code == ERR_INTERNAL || err_status(why->code) == 507;

    if (ours)
        log_error("job.failed", KV("job", job->id), KV("tool", job->tool), KV("why", why->msg));
    end_job(turn, job,
            &(struct store_end){
                .state = JOB_FAILED,
                .finished_at = now,
                .expires_at = expiry(turn, job, now),
                .duration_ms = duration_ms,
                .code = ours ? ERR_INTERNAL : why->code,
                .message = ours ? "the server could not do this job; it was not counted" : why->msg,
            });
}

static void put_back(const struct turn *turn, const struct job *job, int64_t delay_ms)
{
    const struct turn_config *config = turn->config;
    struct err err;

    metric_add(METRIC_JOBS_RETRIED, job->tool, 1);
    log_info("job.put_back", KV("job", job->id), KV("attempt", job->attempt));
    if (store_release(config->store, job->id, job->attempt, clock_wall_ms() + delay_ms, &err) < 0)
        log_error("job.put_back_failed", KV("job", job->id), KV("why", err.msg));
}

static void count_pages(const struct job *job, const struct worker_result *result)
{
    int64_t pages = 0;

    for (size_t i = 0; i < result->n_outputs; i++)
        pages += result->outputs[i].pages;
    if (pages)
        metric_observe(METRIC_JOB_PAGES, job->tool, (double) pages);
}

static void complete_job(const struct turn *turn, const struct job *job, const struct task *task,
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
        fail_job(turn, job, &err, result->run_ms);
        return;
    }
    if (publish(turn, job, task->output, &err) < 0) {
        log_error("job.publish_failed", KV("job", job->id), KV("why", err.msg));
        put_back(turn, job, BACKOFF_MS);
        return;
    }
    struct store_end end = { .state = JOB_COMPLETED,
                             .finished_at = now,
                             .expires_at = expiry(turn, job, now),
                             .duration_ms = result->run_ms,
                             .output_name = name,
                             .outputs_json = outputs,
                             .warnings_json = warnings,
                             .output_bytes = task_output_bytes(task) };
    metric_add(METRIC_JOB_BYTES_OUT, NULL, (double) end.output_bytes);
    metric_observe(METRIC_JOB_SIZE_OUT, job->tool, (double) end.output_bytes);
    count_pages(job, result);
    end_job(turn, job, &end);
}

static void observe(const struct job *job, const struct worker_result *result)
{
    metric_observe(METRIC_JOB_RUN, job->tool, (double) result->run_ms / 1e3);
    metric_add(METRIC_JOB_CPU, job->tool, (double) result->cpu_ms / 1e3);
    metric_observe(METRIC_WORKER_MEMORY, job->tool, (double) result->peak_bytes);
}

/* From the moment the 202 could be sent to the first process that does the work. */
static void observe_start(const struct turn *turn, const struct job *job,
                          const struct worker_result *result)
{
    int64_t accepted = arrivals_take(turn->config->arrivals, job->id);
    int64_t us = result->started_us - accepted;

    if (accepted == 0 || result->started_us == 0)
        return;
    if (us < 0) /* somebody looked for jobs just then, and was faster than the note */
        us = 0;
    metric_observe(METRIC_JOB_START, job->tool, (double) us / 1e6);
    log_debug("job.started", KV("job", job->id), KV("tool", job->tool), KV("us", us));
}

/* Runs the job's process, again if it crashes: a crash may be chance, or the machine's. */
static enum worker_end run_job(struct lease *lease, struct task *task, struct worker_result *result,
                               struct err *err)
{
    const struct turn *turn = lease->turn;
    const struct job *job = lease->job;
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
                               .limits = turn->terms->limits,
                               .services = turn->config->services,
                               .cancel = turn->cancel,
                               .progress = on_progress,
                               .cls = lease };
    enum worker_end end = WORKER_LOST;

    work.limits.cores = turn->cores;
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
            observe_start(turn, job, result);
    }
    return end;
}

static void end_turn(const struct lease *lease, enum worker_end end, const struct task *task,
                     const struct worker_result *result, struct err *err)
{
    const struct turn *turn = lease->turn;

    switch (end) {
    case WORKER_DONE:
        complete_job(turn, lease->job, task, result);
        return;
    case WORKER_LOST:
        err_wrap(err, "crashed %d times", CRASHES);
        err->code = ERR_INTERNAL;
        fail_job(turn, lease->job, err, result->run_ms);
        return;
    case WORKER_FAILED:
        /* A full disk is the server's trouble and passes: the job waits for it. */
        if (err->code == ERR_STORAGE_FULL)
            put_back(turn, lease->job, BACKOFF_MS);
        else
            fail_job(turn, lease->job, err, result->run_ms);
        return;
    case WORKER_CANCELLED:
        /* Deleted, or lost to another: nothing is to be said. Else the server stops. */
        if (atomic_load(turn->aborting) && !lease->lost)
            put_back(turn, lease->job, 0);
        return;
    }
}

void turn_do(const struct turn *turn, const struct job *job)
{
    AUTO_WORKER_RESULT struct worker_result result = { 0 };
    AUTO_TASK struct task task = TASK_EMPTY;
    struct lease lease = { .turn = turn, .job = job, .told_at = clock_mono_ms() };
    enum worker_end end;
    struct err err;

    hub_tell(turn->config->hub, job->id, job->attempt, 0);
    if (job->attempt == 1)
        metric_observe(METRIC_QUEUE_WAIT, job->tool,
                       (double) (job->started_at - job->created_at) / 1e3);
    if (job->attempt > turn->terms->max_attempts) {
        err_set(&err, ERR_INTERNAL, "begun %d times and never ended", job->attempt - 1);
        fail_job(turn, job, &err, 0);
        return;
    }
    end = task_open(&task, job, turn->config->blobs, turn->config->catalog, &err) < 0
              ? WORKER_FAILED
              : run_job(&lease, &task, &result, &err);
    turn->left(turn->cls);
    end_turn(&lease, end, &task, &result, &err);
}
