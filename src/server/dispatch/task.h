/* task: the resources of one attempt at a job: its files, its parameters, its worker. */
#pragma once

#include <jansson.h>

#include "data/blob/blob.h"
#include "data/job/job.h"
#include "data/store/store.h"
#include "declare/tool_run/run.h"
#include "sandbox/worker/pipeline_run.h"
#include "server/dispatch/result.h"

struct task {
    const struct tool *tool;   /* NULL for steps */
    struct pipeline *pipeline; /* used instead of the tool; or NULL */
    const struct catalog *catalog;
    struct blob_store *blobs;
    int64_t input_bytes; /* size of the job's inputs */
    struct param_input *params;
    size_t n_params;
    int *inputs;        /* descriptors of the inputs */
    const char **names; /* the clients' names of the inputs */
    size_t n_inputs;
    struct tool_input *attachments; /* files that are values of parameters */
    size_t n_attachments;
    const char *test;    /* of a test key: INTAKE_TEST_...; or NULL */
    int output, scratch; /* descriptors of files for the result, and for what a tool needs */
    json_t *json[3];     /* owns the texts of params and names */
};

#define TASK_EMPTY                                                                                 \
    {                                                                                              \
        .output = -1, .scratch = -1                                                                \
    }

/* Opens the inputs of a job and files for its output. ERR_NOT_FOUND if inputs are lost. task_close
 * is needed in both cases. */
int task_open(struct task *task, const struct job *job, struct store *store,
              struct blob_store *blobs, const struct catalog *catalog, struct err *err);
/* Empties output and scratch for another attempt. */
int task_rewind(struct task *task, struct err *err);
/* Closes the files and frees the rest; the task is empty afterwards. */
void task_close(struct task *task);
#define AUTO_TASK __attribute__((cleanup(task_close)))

/* Runs the job's tool, or the steps of its pipeline. */
enum worker_end task_run(struct task *task, const struct worker_job *work,
                         struct worker_result *result, struct err *err);

/* The name outputFile for a result of this kind. */
void task_result_name(const struct task *task, const struct job *job, const char *kind,
                      char out[static RESULT_NAME]);
/* The length of the output so far. */
int64_t task_output_bytes(const struct task *task);
