/* The store in PostgreSQL: a job as a row of platen.job_row. */
#include <stdio.h>
#include <stdlib.h>

#include "data/store_postgres/store_postgres_parts.h"

/* The columns of platen.job_row. */
enum {
    ROW,
    ID,
    ACCOUNT,
    TOOL,
    STATE,
    N_INPUTS,
    HAS_SECRET,
    INPUT_BYTES,
    CREATED_AT,
    RUN_AT,
    STARTED_AT,
    FINISHED_AT,
    EXPIRES_AT,
    ATTEMPT,
    LEASE_UNTIL,
    PROGRESS,
    OUTPUT_BYTES,
    DURATION_MS,
    CLIENT_REF,
    CALLBACK_URL,
    CALLBACK_BASE,
    STEM,
    PARAMS,
    INPUTS,
    OUTPUT_NAME,
    OUTPUTS,
    WARNINGS,
    ERROR,
    MESSAGE,
    COST,
    REUSED_BYTES,
    RETENTION_MS,
    SPARED,
    IN_STORE,
    ERROR_FIELD,
    COLUMNS,
};

static bool read_texts(const PGresult *r, int row, struct job *job)
{
    return postgres_copy(r, row, CLIENT_REF, &job->client_ref) &&
           postgres_copy(r, row, CALLBACK_URL, &job->callback_url) &&
           postgres_copy(r, row, CALLBACK_BASE, &job->callback_base) &&
           postgres_copy(r, row, STEM, &job->stem) &&
           postgres_copy(r, row, PARAMS, &job->params_json) &&
           postgres_copy(r, row, INPUTS, &job->inputs_json) &&
           postgres_copy(r, row, OUTPUT_NAME, &job->output_name) &&
           postgres_copy(r, row, OUTPUTS, &job->outputs_json) &&
           postgres_copy(r, row, WARNINGS, &job->warnings_json) &&
           postgres_copy(r, row, ERROR, &job->error) &&
           postgres_copy(r, row, MESSAGE, &job->message) &&
           postgres_copy(r, row, ERROR_FIELD, &job->error_field);
}

int postgres_job_read(const PGresult *r, int row, struct job *job, struct err *err)
{
    if (PQnfields(r) != COLUMNS)
        return err_set(err, ERR_INTERNAL, "the database and the server disagree about a job");
    *job = (struct job){
        .key_id = postgres_integer(r, row, ACCOUNT),
        .state = (enum job_state) postgres_integer(r, row, STATE),
        .n_inputs = (int32_t) postgres_integer(r, row, N_INPUTS),
        .has_secret = postgres_integer(r, row, HAS_SECRET) != 0,
        .input_bytes = postgres_integer(r, row, INPUT_BYTES),
        .reused_bytes = postgres_integer(r, row, REUSED_BYTES),
        .retention_ms = postgres_integer(r, row, RETENTION_MS),
        .cost_ms = postgres_integer(r, row, COST),
        .created_at = postgres_integer(r, row, CREATED_AT),
        .run_at = postgres_integer(r, row, RUN_AT),
        .started_at = postgres_integer(r, row, STARTED_AT),
        .finished_at = postgres_integer(r, row, FINISHED_AT),
        .expires_at = postgres_integer(r, row, EXPIRES_AT),
        .in_store = (int32_t) postgres_integer(r, row, IN_STORE),
        .attempt = (int32_t) postgres_integer(r, row, ATTEMPT),
        .spared = (int32_t) postgres_integer(r, row, SPARED),
        .lease_until = postgres_integer(r, row, LEASE_UNTIL),
        .output_bytes = postgres_integer(r, row, OUTPUT_BYTES),
        .duration_ms = postgres_integer(r, row, DURATION_MS),
    };
    job->progress = strtod(postgres_text(r, row, PROGRESS), NULL);
    snprintf(job->id, sizeof job->id, "%s", postgres_text(r, row, ID));
    snprintf(job->tool, sizeof job->tool, "%s", postgres_text(r, row, TOOL));
    if (read_texts(r, row, job))
        return 0;
    job_free(job);
    return err_set(err, ERR_INTERNAL, "out of memory");
}
