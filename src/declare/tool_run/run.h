/*
 * run: a tool's environment in the worker. It has descriptors only: a path here is always
 * "/proc/self/fd/N" of a descriptor that the server passed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "declare/tool/input.h"

struct tool_services; /* declare/tool_run/service.h */

struct tool_run {
    const struct tool_input *inputs;
    size_t n_inputs;
    const char *stem;   /* beginning of the result's name */
    const char *output; /* path to which a result that is one file is written */
    /* path of an empty folder of the job, deleted after it; NULL in programs that have none
     * (sandbox/zygote/zygote.h) */
    const char *folder;
    /* pipes from and to the program that runs next to this process; NULL in programs that have none
     * (sandbox/zygote/companion.h) */
    const int *companion;
    unsigned companion_jobs; /* of the same client next to which that program ran before */
    /* Whether it may be kept for another job, and whether also after scripts ran in it. The tool
     * sets companion_clean once nothing of this job is left in it. */
    bool companion_kept, companion_kept_after_scripts, companion_clean;
    struct tool_result *result;
    /* Whether an allocation has failed in this process so far; NULL if that is not known. For
     * engines that omit what they have no memory for. */
    bool (*memory_refused)(void);
    int cores; /* number of the tool's threads that should compute at the same time; 0 means 1 */
    /* a socket to ask the server for files of a page (sandbox/protocol/page_ask.h); NULL: the tool
     * does not declare `fetches`, or nothing may be fetched here */
    const int *pages;
    const struct tool_services *services; /* NULL: the tool does not declare `asks` */
    /* Of the copies of this struct with which a tool reads its files one after the other: the
     * number of the file that warnings are about, from 1 (0: not said), and which part of the
     * progress is that of the file (a share of 0: all of it). */
    unsigned about;
    double progress_from, progress_share;
};

/* Reports the progress, 0 to 1. Cheap: call it for every page. */
void tool_progress(struct tool_run *run, double fraction);

/* Adds a warning to the result. Codes are snake_case words that clients may act on, messages
 * plain sentences. A code is kept once, or once for each file of `about`; at most 100 are kept. */
__attribute__((format(printf, 3, 4))) void tool_warn(struct tool_run *run, const char *code,
                                                     const char *fmt, ...);

/* Adds a figure to the `report` of the result: a camelCase name of at most 39 letters. At most
 * 50 are kept. */
void tool_figure(struct tool_run *run, const char *name, int64_t value);
/* Adds a list of pages to the `report`, as parameters name them ("1-3,7"). At most
 * TOOL_PAGES_LISTED - 1 characters: a longer list is given with ranges, and if these are too long,
 * too, it is left out, as is an empty one. */
#define TOOL_PAGES_LISTED 1000
void tool_page_list(struct tool_run *run, const char *name, const char *pages);

/* What became of a page, or of pages that follow one another and fared alike: a row of the report's
 * `pages`. */
struct tool_page_row {
    size_t first, last;
    const char *outcome;  /* a camelCase name as of a figure */
    const char *language; /* "": does not apply */
    int64_t words;        /* of all of them */
    int confidence;       /* 0 to 100, the mean of their words; -1: does not apply */
};
/* Adds a row to the report. At most TOOL_PAGE_ROWS are kept. */
#define TOOL_PAGE_ROWS 500
void tool_page_row(struct tool_run *run, const struct tool_page_row *row);

/*
 * Ends with the one file that was written to run->output as the result. `pages`: its number of
 * pages; 0 where that makes no sense. The server makes its name.
 */
int tool_done(struct tool_run *run, size_t pages, struct err *err);
/* The same where the file is of another kind, one of those in .gives_also. */
int tool_done_as(struct tool_run *run, const char *kind, size_t pages, struct err *err);

/*
 * For a result with parts: write one to the path of tool_part, then call tool_part_done, and repeat
 * for the next; after the last part, call tool_parts_done. A single part of the kind in .gives
 * becomes the result itself; several, or one of another kind, become one ZIP (stored, not
 * deflated), so that a part is a range of bytes of it. `name` is the part's file name with its
 * extension ("report_1-3.pdf"); names are made unique and cut to the allowed length.
 * ERR_LIMIT_EXCEEDED beyond 10,000 parts.
 */
#define TOOL_PARTS 10000
#define TOOL_NAME  201 /* room for at most 200 bytes of UTF-8, and a NUL */
const char *tool_part(struct tool_run *run);
int tool_part_done(struct tool_run *run, const char *name, size_t pages, struct err *err);
int tool_parts_done(struct tool_run *run, struct err *err);
