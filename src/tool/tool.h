/*
 * tool: one thing that can be done to documents, as declared.
 *
 * Each file in src/tools/ defines one `const struct tool`; src/tools/tools.def lists them with the
 * worker program each is built into. The server links no engine: it learns the tools from the
 * worker programs it finds, which say what they can do when they start (tool/describe.h).
 */
#pragma once

#include "base/scope.h"
#include "tool/param.h"

struct tool_run; /* the job at hand (tool/run.h) */
struct rule;     /* tool/rule.h */

#define TOOL_ACCEPTS 8         /* kinds of files one tool may take */
#define TOOL_UNKNOWN "unknown" /* in its list: files of no kind that is known */
#define TOOL_CHOICES 8         /* parameters of one "one of these" rule */

struct tool {
    const char *name;                      /* the last part of the URL: "page-numbers" */
    const char *summary;                   /* one sentence */
    const char *accepts[TOOL_ACCEPTS + 1]; /* kinds (tool/file_kind.h), NULL-terminated */
    const char *takes; /* the same as people call it, where that is something else; or NULL */
    const char *gives; /* kind of the result, or of its parts */
    bool many;         /* several parts are possible: then the result is a ZIP */
    size_t min_files, max_files;
    const struct param *params;
    size_t n_params;
    size_t params_size; /* of the struct the table fills */
    /* Exactly one of these parameters must be given (NULL-terminated; empty: no such rule). */
    const char *one_of[TOOL_CHOICES + 1];
    const char *alone;       /* a parameter with which one file is enough; NULL: none */
    const struct rule *rule; /* what else the parameters must be; NULL: nothing */
    int (*run)(struct tool_run *run, const void *params, struct err *err); /* in a worker only */
    /* A parameter and the choice of it that needs a time stamp authority (empty: none). Where there
     * is none the request is refused. */
    const char *stamped[2];
    bool asks;    /* for the server's services (tool/service.h), which only such a tool gets */
    bool hidden;  /* the server's own: no client can ask for it, no list has it */
    bool threads; /* its libraries start threads (Pango): the sandbox lets them, and only then */
};

/* What every tool takes besides its own parameters. The server acts on these; they never reach a
 * worker. */
const struct param *tool_common_params(size_t *n);
/* What every submission to a server takes besides: of the job, not of what is done. */
const struct param *tool_submission_params(size_t *n);
/* One of either; NULL if there is none of that name. */
const struct param *tool_server_param(const char *name);

/* param_check_all (without the common ones), the one_of rule and the tool's own, for which values
 * are canonical. ERR_MISSING_FIELD, ERR_INVALID_PARAMETER. */
int tool_check_params(const struct tool *tool, const struct param_input *in, size_t n_in,
                      struct err *err);

/* ERR_INVALID_PARAMETER for what needs a time stamp authority, where there is none. */
int tool_check_stamped(const struct tool *tool, const struct param_input *in, size_t n_in,
                       bool authority, struct err *err);

/* How many files it needs at least, with these parameters. */
size_t tool_least_files(const struct tool *tool, const struct param_input *in, size_t n_in);
/* ERR_TOO_FEW_FILES or ERR_TOO_MANY_FILES. */
int tool_check_count(const struct tool *tool, size_t n_files, const struct param_input *in,
                     size_t n_in, struct err *err);
/* Whether the tool takes files of that kind (NULL: none that is known). */
bool tool_takes(const struct tool *tool, const char *kind);
/* ERR_UNSUPPORTED_FILE_TYPE for a file, called so, of a kind that the tool does not take. */
int tool_check_kind(const struct tool *tool, const char *kind, const char *file, struct err *err);
/* What it takes, for a message: "docx, doc or odt". */
void tool_list_taken(const struct tool *tool, char *out, size_t cap);
