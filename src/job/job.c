#include "job/job.h"

#include <stdlib.h>

static const bool moves[JOB_STATES][JOB_STATES] = {
    [JOB_PENDING] = { [JOB_RUNNING] = true, [JOB_FAILED] = true },
    [JOB_RUNNING] = { [JOB_PENDING] = true, [JOB_COMPLETED] = true, [JOB_FAILED] = true },
    [JOB_COMPLETED] = { [JOB_EXPIRED] = true },
    [JOB_FAILED] = { [JOB_EXPIRED] = true },
};

bool job_may_move(enum job_state from, enum job_state to)
{
    return moves[from][to];
}

const char *job_status(enum job_state state)
{
    static const char *const names[] = {
        [JOB_PENDING] = "pending", [JOB_RUNNING] = "pending", [JOB_COMPLETED] = "completed",
        [JOB_FAILED] = "failed",   [JOB_EXPIRED] = "expired",
    };

    return names[state];
}

bool job_is_refunded(enum err_code code)
{
    return code == ERR_INTERNAL || code == ERR_LIMIT_EXCEEDED || code == ERR_WRONG_PASSWORD;
}

void job_free(struct job *job)
{
    free(job->stem);
    free(job->params_json);
    free(job->inputs_json);
    free(job->output_name);
    free(job->outputs_json);
    free(job->warnings_json);
    free(job->error);
    free(job->message);
    *job = (struct job){ 0 };
}
