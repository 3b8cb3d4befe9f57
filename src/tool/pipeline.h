/*
 * pipeline: several tools one after another as one job: the field `steps` of a request, judged.
 *
 *     [{"tool": "compress", "params": {"level": "strong"}}, {"tool": "add-password", ...}]
 *
 * A step takes what the step before it gave. One that takes several files takes all of them (split,
 * then merge); one that takes a single file is run for each.
 */
#pragma once

#include "tool/tool.h"

#define PIPELINE_NAME  "pipeline"
#define PIPELINE_STEPS 10
#define PIPELINE_RUNS  100 /* of one step, for a file each */

/* What the server takes for a tool: files of any kind, and `steps`. It cannot run. */
extern const struct tool pipeline_tool;

struct pipeline_step {
    const struct tool *tool;
    struct param_input *params; /* canonical values; files are the caller's */
    size_t n_params;
};

struct pipeline {
    struct pipeline_step steps[PIPELINE_STEPS];
    size_t n;
    struct param_input *secrets; /* of all steps: "steps[1].userPassword" and its value */
    size_t n_secrets;
};

struct pipeline_source {
    /* The tool of that name; NULL if there is none. It outlives the pipeline. */
    const struct tool *(*find)(void *cls, const char *name);
    /* The name of the tool that was likely meant, or NULL. May be NULL itself. */
    const char *(*nearest)(void *cls, const char *name);
    void *cls;
    const struct param_input *extra; /* files, which steps name as the value of their parameter, and
                                        the secrets of a text that was made by pipeline_text */
    size_t n_extra;
    bool authority; /* there is one for time stamps */
};

/*
 * Judges steps: every tool is there, its parameters are valid, each takes what the one before
 * gives, every file given is used. ERR_INVALID_PARAMETER, ERR_MISSING_FIELD or ERR_UNKNOWN_FIELD
 * with a field such as steps[1].pages. NULL on failure.
 */
struct pipeline *pipeline_new(const char *steps, const struct pipeline_source *source,
                              struct err *err);
void pipeline_free(struct pipeline *pipeline);

/* The steps with canonical values and without their secrets, the same text for the same steps.
 * NULL without memory; the caller frees it. */
char *pipeline_text(const struct pipeline *pipeline, const struct pipeline_source *source);

/* Whether so many files may begin it, and each step gets as many as it needs. ERR_TOO_FEW_FILES,
 * ERR_TOO_MANY_FILES; ERR_INVALID_PARAMETER with the step's field. */
int pipeline_check_count(const struct pipeline *pipeline, size_t n_files, struct err *err);

/* The kind of the result or its parts: the pipeline's, or the tool's if it is NULL. */
const char *pipeline_gives(const struct pipeline *pipeline, const struct tool *tool);
/* Whether a tool takes what another gives: docx begins as a ZIP does. */
bool pipeline_feeds(const struct tool *tool, const char *kind);
