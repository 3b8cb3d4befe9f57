/*
 * pipeline_run: runs the steps of a pipeline one after another, each in a process of its own with
 * its program's sandbox and a time limit of its own. Intermediate results are in unnamed files.
 */
#pragma once

#include "declare/tool/pipeline.h"
#include "sandbox/worker/catalog.h"
#include "sandbox/worker/scan_run.h"

/* Validates the pipeline as pipeline_new does; `extra`, n_extra and `authority` are as in struct
 * pipeline_source. If `text` is not NULL, *text becomes the text of pipeline_text, which the caller
 * frees. */
struct pipeline *pipeline_run_plan(const struct catalog *catalog, const char *steps,
                                   const struct param_input *extra, size_t n_extra, bool authority,
                                   char **text, struct err *err);

/* Validates steps that are to be stored, as `stored` of struct pipeline_source says. */
struct pipeline *pipeline_run_plan_stored(const struct catalog *catalog, const char *steps,
                                          bool authority, char **text, struct err *err);

/*
 * Like worker_run; the job's tool and parameters are ignored. Progress covers all steps; each
 * process has the limits of one job. A step that runs once for each file begins no further run
 * after its runs together have used the time limit of one. Warnings and figures have the number of
 * their step, counted from 1, and an error's message begins with it.
 */
enum worker_end pipeline_run(const struct catalog *catalog, const struct pipeline *pipeline,
                             const struct worker_job *job, const struct scan_run_files *files,
                             struct worker_result *result, struct err *err);

/* Whether LibreOffice is used: by the steps, or by `tool` if there are none (NULL). */
bool pipeline_run_uses_office(const struct pipeline *pipeline, const struct tool *tool);
