/*
 * result: the implementation of struct tool_run: writes a tool's result and reports to a sink.
 * For programs that run tools: the worker's child, and tests.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/digest.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"

struct tool_output {
    const char *name;      /* of a part; "" for a result that is one file */
    int64_t offset, bytes; /* its range in the output file */
    size_t pages;
    char sha256[DIGEST_TEXT];
};

/* Receives the events of a run. Calls come while the tool runs, in order. */
struct tool_sink {
    void *arg;
    void (*progress)(void *arg, double fraction);
    void (*warning)(void *arg, const char *code, const char *message);
    int (*output)(void *arg, const struct tool_output *output, struct err *err);
    void (*figure)(void *arg, const char *name, int64_t value);    /* may be NULL */
    void (*pages)(void *arg, const char *name, const char *pages); /* may be NULL */
    void (*row)(void *arg, const struct tool_page_row *row);       /* may be NULL */
    bool no_digests; /* the outputs' sha256 is not needed: it stays "" */
};

struct tool_result;

/* Prepares a run. output and scratch are files open for reading and writing that can be opened
 * again through /proc/self/fd; the caller owns them. */
struct tool_result *tool_result_new(const struct tool *tool, int output, int scratch,
                                    const struct tool_sink *sink, struct err *err);
/* The path of the output file, for struct tool_run. */
const char *tool_result_path(const struct tool_result *result);
/* The kind of the finished result (declare/value/file_kind.h), or NULL if the tool did not finish
 * one. */
const char *tool_result_kind(const struct tool_result *result);
void tool_result_free(struct tool_result *result);

/*
 * Fills the tool's parameters from `params` and runs it. Fails with the tool's error, or with
 * ERR_INTERNAL if it returned without a result.
 */
int tool_result_run(const struct tool *tool, struct tool_run *run, const struct param_input *params,
                    size_t n_params, struct err *err);
