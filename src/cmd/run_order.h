/* run_order: the parsed arguments of `platen run`: a tool, its parameters, files and a
 * destination. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"
#include "sandbox/worker/pipeline_run.h"
#include "server/config/config.h"

#define RUN_PARAMS   64 /* limit of the parameters, and of those whose values are files */
#define RUN_JOBS     2  /* number of files that --each processes at the same time */
#define RUN_JOBS_MAX 64 /* limit of that number */

struct run_order {
    const struct tool *tool;
    const struct catalog *catalog; /* borrowed */

    struct param_input params[RUN_PARAMS]; /* canonical values, owned by the order */
    size_t n_params;
    struct tool_input attachments[RUN_PARAMS]; /* files that are values of parameters */
    size_t n_attachments;
    char parts[RUN_PARAMS][64]; /* names of the attachments that steps of a pipeline use */
    struct pipeline *pipeline;  /* the steps; NULL for a single tool */

    char **files; /* paths of the documents as given, borrowed from argv */
    size_t n_files;
    const char *out; /* as given */
    bool force;
    bool each;      /* run the tool once for each file */
    int jobs;       /* 1 to RUN_JOBS_MAX */
    bool line_read; /* the value of a parameter was read from standard input */
};

/*
 * Parses argv from argv[1] on, the tool being argv[0], and reorders it; `order` has its tool and
 * catalog set, and is zeroed otherwise. Opens the files that are values of parameters, not the
 * documents. run_order_free must be called in any case. ERR_MISSING_FIELD, ERR_UNKNOWN_FIELD,
 * ERR_INVALID_PARAMETER, ERR_INVALID_REQUEST.
 */
int run_order_parse(struct run_order *order, int argc, char **argv, struct err *err);
/* Checks the parameters together, and plans the steps of a pipeline. `authority`: a time stamp
 * authority is configured. */
int run_order_check(struct run_order *order, bool authority, struct err *err);
void run_order_free(struct run_order *order);

bool run_order_is_pipeline(const struct run_order *order);
/* Whether the tool, or one of the steps, uses the server's services. */
bool run_order_asks(const struct run_order *order);
/* The parameters for the tool, without those that platen itself handles; returns their number. */
size_t run_order_own_params(const struct run_order *order,
                            struct param_input out[static RUN_PARAMS]);
/* The value of outputName, or NULL. */
const char *run_order_output_name(const struct run_order *order);
