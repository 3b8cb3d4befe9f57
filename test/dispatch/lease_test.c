/* A lease is kept as long as somebody is at the job, and by nobody else. On SQLite in memory. */
#include "server/dispatch/lease.h"

#include "base/clock.h"
#include "data/account/key.h"
#include "memory_store.h"
#include "tap.h"

#define LENGTH 60000 /* no test takes so long */

static struct store *store;
static struct err err;

/* A new job, of whose lease `left` ms are left. */
static struct job claimed(struct lease *lease, int64_t left)
{
    static char stem[] = "a", params[] = "{}", inputs[] = "[]";
    char text[KEY_TEXT];
    struct key key = { .name = "Anna", .plan = "pro" };
    struct job job = {
        .tool = "rotate", .stem = stem, .params_json = params, .inputs_json = inputs
    };
    struct store_terms terms = { .max_requests = 9, .max_bytes = 9, .max_unfinished = 9 };
    struct store_receipt receipt;

    key_make(KEY_MANAGE, false, text);
    key_split(text, key.prefix, key.digest);
    store_key_add(store, &key, &err);
    job.key_id = key.id;
    id_new(job.id);
    store_put(store, &job, &terms, &receipt, &err);
    is_int(store_claim(store, clock_wall_ms() - LENGTH + left, LENGTH, NULL, &job, &err), 1,
           "a job with %d s of its lease left", (int) (left / 1000));
    lease_begin(lease, store, &job, LENGTH);
    return job;
}

static int64_t until(const struct job *job)
{
    AUTO_JOB struct job found = { 0 };

    return store_find(store, job->id, &found, &err) == 1 ? found.lease_until : -1;
}

static double progress(const struct job *job)
{
    AUTO_JOB struct job found = { 0 };

    return store_find(store, job->id, &found, &err) == 1 ? found.progress : -1;
}

int main(void)
{
    struct lease lease;
    int64_t before;

    store = memory_store_open();
    lease_init(&lease);
    lease_keep(&lease);

    AUTO_JOB struct job quiet = claimed(&lease, LENGTH);
    before = until(&quiet);
    lease_keep(&lease);
    is_int(until(&quiet), before, "a new lease is not renewed");
    ok(lease_progress(&lease, 0.5), "a new lease continues when the job reports progress at once");
    ok(progress(&quiet) == 0, "the first progress is not stored at once");
    lease_end(&lease);

    AUTO_JOB struct job silent = claimed(&lease, 5000);
    lease_keep(&lease);
    ok(until(&silent) > clock_wall_ms() + LENGTH - 5000, "a lease that ends soon is renewed");
    is_int(store_reclaim(store, clock_wall_ms() + 6000, &err), 0,
           "a renewed lease is not reclaimed");
    lease_end(&lease);

    AUTO_JOB struct job moving = claimed(&lease, 5000);
    ok(lease_progress(&lease, 0.25), "a job that reports progress keeps its lease");
    ok(until(&moving) > clock_wall_ms() + LENGTH - 5000, "progress renews a lease that ends soon");
    ok(progress(&moving) == 0.25, "the stored progress is the reported one");
    lease_end(&lease);

    AUTO_JOB struct job ended = claimed(&lease, 5000);
    lease_end(&lease);
    before = until(&ended);
    lease_keep(&lease);
    is_int(until(&ended), before, "a lease that is released is not renewed");

    AUTO_JOB struct job ahead = claimed(&lease, 3 * LENGTH);
    lease_keep(&lease);
    ok(until(&ahead) <= clock_wall_ms() + LENGTH,
       "a lease that ends too late, after the clock was set back, is shortened");
    lease_end(&lease);

    AUTO_JOB struct job taken = claimed(&lease, -1000);
    store_reclaim(store, clock_wall_ms(), &err);
    is_int(until(&taken), 0, "the store reclaims a job whose lease ended");
    lease_keep(&lease);
    ok(lease_is_lost(&lease), "a lease that ended is lost");
    ok(!lease_progress(&lease, 0.9), "progress under a lost lease asks the job's process to stop");
    lease_end(&lease);

    lease_destroy(&lease);
    memory_store_close(store);
    return done_testing();
}
