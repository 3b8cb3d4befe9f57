#include "data/job/job.h"

#include "tap.h"

static void test_moves(void)
{
    static const char *const names[] = { "pending", "running", "completed", "failed", "expired" };
    static const char legal[JOB_STATES][JOB_STATES + 1] = {
        [JOB_PENDING] = ".r.f.", [JOB_RUNNING] = "p.cf.", [JOB_COMPLETED] = "....e",
        [JOB_FAILED] = "....e",  [JOB_EXPIRED] = ".....",
    };

    for (enum job_state from = 0; from < JOB_STATES; from++)
        for (enum job_state to = 0; to < JOB_STATES; to++) {
            bool may = legal[from][to] != '.';

            ok(job_may_move(from, to) == may, "a job that is %s %s become %s", names[from],
               may ? "may" : "may not", names[to]);
        }
}

static void test_status(void)
{
    is_str(job_status(JOB_PENDING), "pending", "a waiting job is pending");
    is_str(job_status(JOB_RUNNING), "pending", "the status of a running job is pending");
    is_str(job_status(JOB_COMPLETED), "completed", "the status of a completed job is completed");
    is_str(job_status(JOB_FAILED), "failed", "the status of a failed job is failed");
    is_str(job_status(JOB_EXPIRED), "expired", "the status of an expired job is expired");
    ok(job_is_refunded(ERR_INTERNAL) && job_is_refunded(ERR_LIMIT_EXCEEDED) &&
           job_is_refunded(ERR_WRONG_PASSWORD),
       "internal_error, limit_exceeded and wrong_password give quota back");
    ok(!job_is_refunded(ERR_CORRUPT_FILE) && !job_is_refunded(ERR_PASSWORD_REQUIRED) &&
           !job_is_refunded(ERR_PAGE_OUT_OF_RANGE),
       "corrupt_file, password_required and the like do not give quota back");
}

static void test_copy(void)
{
    char stem[] = "report", error[] = "corrupt_file";
    struct job from = { .id = "x", .attempt = 3, .stem = stem, .error = error };
    AUTO_JOB struct job to = { 0 };
    struct err err;

    is_int(job_copy(&to, &from, &err), 0, "a job can be copied");
    stem[0] = error[0] = '-';
    ok(strcmp(to.stem, "report") == 0 && strcmp(to.error, "corrupt_file") == 0,
       "a copied job has its own texts");
    ok(to.attempt == 3 && strcmp(to.id, "x") == 0 && !to.params_json,
       "a copied job has all values");
    job_erase(&to);
    ok(!to.stem && !to.error && to.attempt == 3, "an erased job keeps only its numbers");
    job_free(&to);
    ok(!to.stem && to.attempt == 0, "a freed job is empty");
}

int main(void)
{
    test_moves();
    test_status();
    test_copy();
    return done_testing();
}
