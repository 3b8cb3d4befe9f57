/*
 * run: what a tool gets to work with, in the worker. Descriptors only: a path here is always
 * "/proc/self/fd/N" of a descriptor the server handed over.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct tool_input {
    int fd;           /* read-only */
    const char *path; /* of fd */
    const char *name; /* the client's file name, cleaned; "" if it gave none */
    int64_t bytes;
};

struct tool_services; /* tool/service.h */

struct tool_run {
    const struct tool_input *inputs;
    size_t n_inputs;
    const char *stem;   /* of the result's name */
    const char *output; /* path: where a result that is one file is written */
    const char *folder; /* path of an empty folder of the job's own, swept after it; NULL in
                           programs that give none (worker/zygote.h) */
    struct tool_result *result;
    /* Whether memory was refused to this process so far; NULL if that is not known. For engines
     * that leave out what they have no memory for. */
    bool (*memory_refused)(void);
    int cores; /* for a tool with threads: how many of them should compute at a time; 0 is 1 */
    const struct tool_services *services; /* NULL: the tool does not ask */
};

/* How far the job is, 0 to 1. Cheap: call it for every page. */
void tool_progress(struct tool_run *run, double fraction);

/* A warning the result carries. Codes are snake_case words clients may act on, messages plain
 * sentences. The same code twice is kept once; at most 100 are kept. */
__attribute__((format(printf, 3, 4))) void tool_warn(struct tool_run *run, const char *code,
                                                     const char *fmt, ...);

/* A figure of what was found and done, for the `report` of the result: a camelCase word of at most
 * 39 letters. At most 50 are kept. */
void tool_figure(struct tool_run *run, const char *name, int64_t value);

/*
 * The result is the one file written to run->output. `pages`: how many it has; 0 where that makes
 * no sense. Its name is made by the server.
 */
int tool_done(struct tool_run *run, size_t pages, struct err *err);

/*
 * The result has parts: write one to the path tool_part gives, then call tool_part_done, and again
 * for the next. After the last part, tool_parts_done. One part of the kind the tool gives becomes
 * the result itself, several, or one of another kind, become one ZIP (stored, not deflated), so
 * that a part is a range of bytes of it. `name` is the part's file name with its extension
 * ("report_1-3.pdf"); names are made unique, and cut to what a name may have. ERR_LIMIT_EXCEEDED
 * beyond 10,000 parts.
 */
#define TOOL_PARTS 10000
#define TOOL_NAME  201 /* at most 200 bytes of UTF-8, and a NUL */
const char *tool_part(struct tool_run *run);
int tool_part_done(struct tool_run *run, const char *name, size_t pages, struct err *err);
int tool_parts_done(struct tool_run *run, struct err *err);
