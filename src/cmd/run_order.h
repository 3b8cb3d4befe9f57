/* run_order: what the words of `platen run` ask for: a tool, its parameters, files and a place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"
#include "tool/run.h"
#include "tool/tool.h"
#include "worker/pipeline_run.h"

#define RUN_PARAMS   64
#define RUN_JOBS     2 /* files under way at a time, of --each */
#define RUN_JOBS_MAX 64

struct run_order {
    const struct tool *tool;
    struct worker *worker;         /* NULL for pipelines */
    const struct catalog *catalog; /* borrowed */

    struct param_input params[RUN_PARAMS]; /* canonical values, the order's to free */
    size_t n_params;
    struct tool_input attachments[RUN_PARAMS]; /* files that are values of parameters */
    size_t n_attachments;
    char parts[RUN_PARAMS][64]; /* the names of the attachments that steps of a pipeline use */
    struct pipeline *pipeline;  /* the steps; NULL if the tool is none */

    char **files; /* paths as given, borrowed from argv */
    size_t n_files;
    const char *out; /* as given */
    bool force;
    bool each;      /* the tool runs once for each file */
    int jobs;       /* 1 to RUN_JOBS_MAX */
    bool jobs_said; /* --jobs was given */
    bool line_read; /* the value of a parameter came from standard input */
};

/*
 * Reads the words of `argv` from argv[2] on, which it sorts; `order` has its tool and catalog, and
 * is else zero. Opens the files that are values of parameters, not the documents. Whatever it
 * returns, run_order_free is to be called. ERR_MISSING_FIELD, ERR_UNKNOWN_FIELD,
 * ERR_INVALID_PARAMETER, ERR_INVALID_REQUEST.
 */
int run_order_parse(struct run_order *order, int argc, char **argv, struct err *err);
/* Judges the parameters together, and plans the steps of a pipeline. `authority`: there is one for
 * time stamps. */
int run_order_check(struct run_order *order, bool authority, struct err *err);
/* ERR_TOO_FEW_FILES or ERR_TOO_MANY_FILES for so many documents at a time. */
int run_order_check_count(const struct run_order *order, size_t n_files, struct err *err);
void run_order_free(struct run_order *order);

bool run_order_is_pipeline(const struct run_order *order);
/* Whether the tool, or one of the steps, asks for the server's services. */
bool run_order_asks(const struct run_order *order);
/* The parameters that go to the tool, without those that platen itself acts on; returns how many.
 */
size_t run_order_own_params(const struct run_order *order,
                            struct param_input out[static RUN_PARAMS]);
/* The value of outputName, or NULL. */
const char *run_order_output_name(const struct run_order *order);
