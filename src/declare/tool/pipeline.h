/*
 * pipeline: several tools, one after another, as one job: validates the field `steps` of a request.
 *     [{"tool": "compress", "params": {"level": "strong"}}, {"tool": "add-password", ...}]
 * The input of a step is the output of the step before. A tool that accepts several files gets all
 * of them (split, then merge); one that accepts a single file is run for each.
 */
#pragma once

#include "declare/tool/tool.h"

#define PIPELINE_NAME    "pipeline"
#define PIPELINE_STEPS   10  /* limit of the steps */
#define PIPELINE_PART    40  /* limit of the name of a part that is a file of a step */
#define PIPELINE_AWAITED 8   /* limit of what pipeline_awaited says of a step */
#define PIPELINE_RUNS    100 /* limit of the runs of one step, one for each file */

/* The server's view of a pipeline as a tool: accepts files of any kind, and `steps`. It cannot
 * run. */
extern const struct tool pipeline_tool;

struct pipeline_step {
    const struct tool *tool;
    struct param_input *params; /* canonical values; files are owned by the caller */
    size_t n_params;
};

struct pipeline {
    struct pipeline_step steps[PIPELINE_STEPS];
    size_t n;
    struct param_input *secrets; /* of all steps: "steps[1].userPassword" and its value */
    size_t n_secrets;
};

struct pipeline_source {
    /* Finds a tool, which outlives the pipeline; NULL if there is none. */
    const struct tool *(*find)(void *arg, const char *name);
    /* The name of the tool that was probably meant, or NULL. The function may be NULL itself. */
    const char *(*nearest)(void *arg, const char *name);
    void *arg;
    /* files, which steps name as the value of their parameter, and the secrets of a text that
     * pipeline_text made */
    const struct param_input *extra;
    size_t n_extra;
    bool authority; /* a time stamp authority is configured */
    /* The steps are to be stored, and run later: a secret is refused, a file is only the name of a
     * part, and what is missing of both is what a run has to bring (pipeline_awaited). */
    bool stored;
};

/*
 * Validates steps: every tool exists, its parameters are valid, each accepts what the one before
 * produces, every uploaded file is used. NULL with ERR_INVALID_PARAMETER, ERR_MISSING_FIELD or
 * ERR_UNKNOWN_FIELD, with a field such as steps[1].pages.
 */
struct pipeline *pipeline_new(const char *steps, const struct pipeline_source *source,
                              struct err *err);
void pipeline_free(struct pipeline *pipeline);

/* Of a step of a stored pipeline, the names of the parameters without which it cannot run, and
 * which only a run brings. Returns how many. */
size_t pipeline_awaited(const struct pipeline *pipeline, size_t step,
                        const char *names[static PIPELINE_AWAITED]);

/* Writes the steps with canonical values and without their secrets: equal steps give equal
 * texts. NULL without memory; the caller frees it. */
char *pipeline_text(const struct pipeline *pipeline, const struct pipeline_source *source);

/* Checks that the pipeline can begin with n_files files and that each step gets enough.
 * ERR_TOO_FEW_FILES, ERR_TOO_MANY_FILES; ERR_INVALID_PARAMETER with the step's field. */
int pipeline_check_count(const struct pipeline *pipeline, size_t n_files, struct err *err);

/* The kind of the result or its parts: the pipeline's, or the tool's if `pipeline` is NULL. */
const char *pipeline_gives(const struct pipeline *pipeline, const struct tool *tool);
/* Further kinds that the result can be, NULL-terminated. */
const char *const *pipeline_gives_also(const struct pipeline *pipeline, const struct tool *tool);
