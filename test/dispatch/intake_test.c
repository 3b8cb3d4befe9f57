/* intake and janitor: nothing is lost, nothing is left. On real files and SQLite in memory. */
#include "server/dispatch/intake.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fdio.h"
#include "base/scope.h"
#include "data/blob/blob_name.h"
#include "declare/tool_run/run.h"
#include "memory_store.h"
#include "server/dispatch/janitor.h"
#include "server/dispatch/result.h"
#include "tap.h"

#define T0 1795244519123 /* 2026-11-21 */

static struct store *store;
static struct blob_store *blobs;
static struct janitor_config house;
static struct err err;
static int n_blobs;
static atomic_bool removed;

static void count(void *arg, const char *job_id, const char *name)
{
    (void) arg, (void) job_id, (void) name;
    n_blobs++;
}

static int blobs_there(void)
{
    n_blobs = 0;
    blob_each(blobs, count, NULL, &err);
    return n_blobs;
}

static int staged(const char *text)
{
    int fd = blob_stage(blobs, &err);

    fdio_write(fd, text, strlen(text), &err);
    return fd;
}

/* Submits two files, a secret and a file for a parameter; 0, or -1 with err. */
static int submit(char id[static ID_TEXT], int64_t max_requests, const char *idempotency_key)
{
    struct tool_input certificate = { staged("key"), "", "", 3 };
    struct param_input params[] = { { "degrees", "90" },
                                    { "inputPassword", "hush" },
                                    { "certificate", NULL, &certificate } };
    bool secret[] = { false, true, false };
    struct intake_file files[] = { { staged("one"), 3, "a.pdf" }, { staged("two"), 3, "b.pdf" } };
    struct intake_order order = { id, 1, "rotate", "a", params, secret, 3, files, 2 };
    struct store_terms terms = { .month = clock_month_start(clock_wall_ms()),
                                 .max_requests = max_requests,
                                 .max_bytes = 1000,
                                 .max_unfinished = 10,
                                 .idempotency_key = idempotency_key,
                                 .fingerprint = "f" };
    struct store_receipt receipt;
    int done;

    id_new(id);
    done = intake_submit(store, blobs, &order, &terms, &receipt, &err);
    close(files[0].fd);
    close(files[1].fd);
    close(certificate.fd);
    if (done == 0)
        memcpy(id, receipt.job_id, ID_TEXT);
    return done;
}

static void test_submit(char id[static ID_TEXT])
{
    AUTO_JOB struct job job = { 0 };
    char other[ID_TEXT];

    ok(submit(id, 2, NULL) == 0, "an upload becomes a job");
    is_int(blobs_there(), 4, "the files of the job and its secrets are published");
    ok(store_find(store, id, &job, &err) == 1 && job.n_inputs == 3 && job.input_bytes == 9,
       "the job's row has the number and size of its files");
    is_str(job.inputs_json,
           "[{\"name\":\"a.pdf\",\"bytes\":3},{\"name\":\"b.pdf\",\"bytes\":3},"
           "{\"param\":\"certificate\",\"bytes\":3}]",
           "the file of a parameter has no name in the row");
    ok(job.has_secret && !strstr(job.params_json, "hush"),
       "the job's row does not contain the secret");
    is_str(job.params_json, "{\"degrees\":\"90\"}", "the job's row contains the other parameters");
    ok(submit(other, 1, NULL) < 0 && err.code == ERR_QUOTA_EXCEEDED,
       "a job beyond the quota is refused");
    is_int(blobs_there(), 4, "a refused job leaves no file");
    ok(submit(other, 9, "k") == 0 && blobs_there() == 8,
       "a second job with an idempotency key is accepted");
    memset(other, 0, sizeof other);
    ok(submit(other, 9, "k") == 0, "a repeated submission with the idempotency key is accepted");
    is_int(blobs_there(), 8, "a repeated submission adds no file");
    job_free(&job);
    ok(store_remove(store, other, 1, &job, &err) == 1, "the second job is removed from the store");
    intake_discard(blobs, &job, false);
    is_int(blobs_there(), 4, "removing a job removes its files");
}

static void test_expiry(const char *id)
{
    AUTO_JOB struct job job = { 0 }, later = { 0 };
    struct store_end end = { .state = JOB_COMPLETED,
                             .finished_at = T0,
                             .expires_at = T0 + 5000,
                             .output_name = "a.pdf",
                             .outputs_json = "[]",
                             .warnings_json = "[]" };
    struct blob_item result = { staged("result"), "" };

    ok(store_claim(store, T0 + 1000, 30000, NULL, &job, &err) == 1, "the job is claimed");
    blob_name_result(job.attempt, result.name);
    blob_publish(blobs, id, &result, 1, &err);
    close(result.fd);
    ok(store_finish(store, id, job.attempt, &end, &err) == 1, "the job is completed");
    intake_discard(blobs, &job, true);
    is_int(blobs_there(), 1, "only the result of a completed job is kept");
    clock_hold(T0 + 4000);
    janitor_sweep(&house);
    is_int(blobs_there(), 1, "the result is kept until its expiry");
    clock_hold(T0 + 6000);
    janitor_sweep(&house);
    is_int(blobs_there(), 0, "the result is removed at its expiry");
    ok(store_find(store, id, &later, &err) == 1 && later.state == JOB_EXPIRED,
       "an expired job is still known");
    job_free(&later);
    clock_hold(T0 + 6000 + 100000);
    janitor_sweep(&house);
    ok(store_find(store, id, &later, &err) == 0, "an expired job is forgotten after a while");
    atomic_store(&removed, true);
    janitor_sweep(&house);
    ok(!atomic_load(&removed), "erased data is removed from the store's log in the next round");
}

static void test_orphans(void)
{
    AUTO_JOB struct job job = { 0 };
    char pending[ID_TEXT], gone[ID_TEXT], young[ID_TEXT];
    struct blob_item item = { staged("x"), "in.0" };

    submit(pending, 100, NULL);
    id_new(gone);
    blob_publish(blobs, gone, &item, 1, &err);
    clock_hold(clock_wall_ms() + 1000);
    id_new(young);
    blob_publish(blobs, young, &item, 1, &err);
    snprintf(item.name, sizeof item.name, "out.1");
    blob_publish(blobs, pending, &item, 1, &err);
    close(item.fd);
    is_int(blobs_there(), 7, "files without a job are there, as after a crash");
    janitor_collect_orphans(&house, clock_wall_ms());
    is_int(blobs_there(), 5, "files without a job and those of a lost attempt are removed");
    int64_t bytes;
    int fd = blob_open(blobs, young, "in.0", INT64_MAX, &bytes, &err);
    ok(fd >= 0, "the file of an upload that is just being accepted is kept");
    close(fd);
    blob_remove(blobs, young, "in.0");
    store_remove(store, pending, 1, &job, &err);
    intake_discard(blobs, &job, false);
    is_int(blobs_there(), 0, "no other file is left");
}

int main(void)
{
    char folder[] = "/tmp/platen-intake-XXXXXX", path[80], id[ID_TEXT], command[120];

    if (!mkdtemp(folder))
        return 1;
    clock_hold(T0);
    snprintf(path, sizeof path, "%s/blobs", folder);
    store = memory_store_open();
    store_key_add(store, &(struct key){ .prefix = "pk_test", .digest = "d", .plan = "pro" }, &err);
    blobs = blob_fs_open(path, &err);
    house = (struct janitor_config){
        .store = store, .blobs = blobs, .tombstone_ms = 50000, .removed = &removed
    };
    test_submit(id);
    test_expiry(id);
    test_orphans();
    blob_close(blobs);
    memory_store_close(store);
    for (int i = 0; i < 256; i++) {
        snprintf(command, sizeof command, "%s/%02x", path, (unsigned) i);
        rmdir(command);
    }
    ok(rmdir(path) == 0 && rmdir(folder) == 0, "the folder is empty at the end");
    return done_testing();
}
