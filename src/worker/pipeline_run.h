/*
 * pipeline_run: the steps of a pipeline one after another, each in a process of its own with its
 * program's sandbox and its own time. What lies between two steps is kept in files without a name.
 */
#pragma once

#include "tool/pipeline.h"
#include "worker/catalog.h"

/* The pipeline of a catalog's tools, as pipeline_new. `authority`: there is one for time stamps. */
struct pipeline *pipeline_run_plan(const struct catalog *catalog, const char *steps,
                                   const struct param_input *extra, size_t n_extra, bool authority,
                                   char **text, struct err *err);

/* Makes a file for what lies between two steps, open for reading and writing, that a worker under
 * another user can open again. The caller closes it. -1 on failure. */
struct pipeline_files {
    int (*stage)(void *cls, struct err *err);
    void *cls;
};

/*
 * As worker_run; the job's tool and parameters do not count. Progress goes over all steps; the
 * limits hold for each process, and no run of a step begins once its runs together took the time of
 * one; warnings and figures have the number of their step, counted from 1,
 * and an error's message begins with it.
 */
enum worker_end pipeline_run(const struct catalog *catalog, const struct pipeline *pipeline,
                             const struct worker_job *job, const struct pipeline_files *files,
                             struct worker_result *result, struct err *err);
