#include "data/job/job.h"

#include <stdlib.h>
#include <string.h>

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
    return code == ERR_INTERNAL || code == ERR_LIMIT_EXCEEDED || code == ERR_WRONG_PASSWORD ||
           code == ERR_FETCH_FAILED;
}

#define TEXTS 12
static void texts_of(struct job *job, char **texts[static TEXTS])
{
    char **all[TEXTS] = {
        &job->client_ref,    &job->callback_url, &job->callback_base, &job->stem,
        &job->params_json,   &job->inputs_json,  &job->output_name,   &job->outputs_json,
        &job->warnings_json, &job->error,        &job->message,       &job->error_field,
    };

    memcpy(texts, all, sizeof all);
}

/* Replaces a borrowed text by one's own; NULL stays NULL. */
static bool own(char **text)
{
    return !*text || (*text = strdup(*text));
}

int job_copy(struct job *to, const struct job *from, struct err *err)
{
    char **texts[TEXTS];
    size_t i = 0;

    *to = *from;
    texts_of(to, texts);
    while (i < TEXTS && own(texts[i]))
        i++;
    if (i == TEXTS)
        return 0;
    for (; i < TEXTS; i++)
        *texts[i] = NULL; /* still from's */
    job_free(to);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

void job_erase(struct job *job)
{
    char **texts[TEXTS];

    texts_of(job, texts);
    for (size_t i = 0; i < TEXTS; i++) {
        free(*texts[i]);
        *texts[i] = NULL;
    }
}

void job_free(struct job *job)
{
    job_erase(job);
    *job = (struct job){ 0 };
}
