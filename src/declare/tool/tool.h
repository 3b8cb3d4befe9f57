/*
 * tool: the declaration of an operation on documents.
 *
 * Each file in the folders of src/tools/ defines one `const struct tool`; src/tools/tools.def lists
 * them with the worker program that each is built into. The server links no engine: it learns about
 * the tools from the worker programs that it finds, which describe them when they start
 * (declare/tool/describe.h).
 */
#pragma once

#include "base/scope.h"
#include "declare/tool/param.h"

struct tool_run; /* the current job (declare/tool_run/run.h) */
struct rule;     /* declare/tool/rule.h */

#define TOOL_ACCEPTS 12        /* limit of the kinds of files that a tool accepts */
#define TOOL_UNKNOWN "unknown" /* in `accepts`: files of unknown kinds */
#define TOOL_ALSO    4         /* limit of the further kinds of a tool's result */
#define TOOL_CHOICES 8         /* limit of the parameters of one "one of these" rule */

struct tool {
    const char *name;                      /* last part of the URL: "page-numbers" */
    const char *summary;                   /* one sentence */
    const char *accepts[TOOL_ACCEPTS + 1]; /* kinds (declare/value/file_kind.h), NULL-terminated */
    const char *accepts_text; /* these kinds in words, for messages; NULL: a list of `accepts` */
    const char *gives;        /* kind of the result, or of its parts */
    /* Further kinds that the result can be (tool_done_as), NULL-terminated. */
    const char *gives_also[TOOL_ALSO + 1];
    bool many; /* there may be several parts: the result is then a ZIP */
    size_t min_files, max_files;
    const struct param *params;
    size_t n_params;
    size_t params_size; /* of the struct that the table fills */
    /* Exactly one of these parameters must be given (NULL-terminated; empty: no such rule). */
    const char *one_of[TOOL_CHOICES + 1];
    const char *alone;       /* a parameter with which one file is enough; NULL: none */
    const struct rule *rule; /* further constraints on the parameters; NULL: none */
    int (*run)(struct tool_run *run, const void *params, struct err *err); /* set in workers only */
    /* Set in workers only, or NULL. Called in the process of a job before it is confined, with the
     * descriptors of its files: may open libraries that these need, and reads no more of them than
     * which kind they are. Returns whether the job needs threads. */
    bool (*prepare)(const int *fds, size_t n);
    /* A parameter and the choice of it that needs a time stamp authority (empty: none). Without
     * one the request is refused. */
    const char *stamped[2];
    /* A parameter with which another tool does the work, which may belong to another program, and
     * that tool (empty: none). The other tool has this parameter, too. */
    const char *delegate[2];
    /* A hidden tool that writes scanned pages as pages of text, which this one reads then (NULL:
     * none): sandbox/worker/scan_run.h. This tool has a parameter `ocr`: auto, off or force. */
    const char *transcriber;
    /* A hidden tool of another program with the same parameters, which does the same and more, and
     * the work where that program is installed, unless `ocr` is off (NULL: none). */
    const char *stronger;
    bool asks; /* uses the server's services (declare/tool_run/service.h), which other tools do not
                  get */
    bool fetches; /* shows a page of the web at the address in its parameter `url`, whose parts the
                     server fetches for it (declare/tool_run/page_service.h); has no files */
    bool free;    /* only looks at a document: its jobs count in no quota */
    bool hidden;  /* for the server only: clients cannot use it, and it is in no list */
    bool threads; /* its libraries start threads (Pango), which the sandbox then allows */
    bool processes; /* forks for parts of its work, which the sandbox then allows; not with
                       `threads` */
};

/* The parameters that every tool accepts besides its own. The server handles these; workers do
 * not see them. */
const struct param *tool_common_params(size_t *n);
/* The parameters that every submission to a server accepts in addition: they concern the job,
 * not its operation. */
const struct param *tool_submission_params(size_t *n);
/* Finds one of the parameters in both lists by its name; NULL if there is none. */
const struct param *tool_server_param(const char *name);

/* Checks param_check_all (without the common ones), the one_of rule and the tool's own rule,
 * which needs canonical values. ERR_MISSING_FIELD, ERR_INVALID_PARAMETER. */
int tool_check_params(const struct tool *tool, const struct param_input *in, size_t n_in,
                      struct err *err);

/* Checks the rule `stamped`: ERR_INVALID_PARAMETER if a time stamp authority is needed and there is
 * none. */
int tool_check_stamped(const struct tool *tool, const struct param_input *in, size_t n_in,
                       bool authority, struct err *err);

/* The least number of files with these parameters. */
size_t tool_least_files(const struct tool *tool, const struct param_input *in, size_t n_in);
/* Checks the number of files with these parameters. ERR_TOO_FEW_FILES or ERR_TOO_MANY_FILES. */
int tool_check_count(const struct tool *tool, size_t n_files, const struct param_input *in,
                     size_t n_in, struct err *err);
/* Whether the tool accepts files of that kind (NULL: unknown kinds). */
bool tool_accepts(const struct tool *tool, const char *kind);
/* Whether a file is, by its name, an SVG drawing, which only tools for web pages can show. */
bool tool_is_drawing(const char *file);
/* Checks the kind of a file: ERR_UNSUPPORTED_FILE_TYPE for a file with this name if the tool does
 * not accept its kind. */
int tool_check_kind(const struct tool *tool, const char *kind, const char *file, struct err *err);
/* Writes the accepted kinds for a message: "docx, doc or odt". */
void tool_list_accepted(const struct tool *tool, char *out, size_t cap);
