/* page: one page in Chromium: opened, loaded with all that belongs to it, and checked. */
#pragma once

#include <stdint.h>

#include "declare/tool_run/run.h"
#include "engine/browser/context.h"
#include "engine/browser/requests.h"

struct page_options {
    bool javascript, deterministic;
    const char *media;       /* "print" or "screen" */
    const char *colorScheme; /* "light" or "dark" */
    const char *waitFor;     /* "load", "networkIdle", milliseconds, or a selector; NULL: load */
    int64_t width, height;   /* of the window, in CSS pixels */
    double pixel_ratio;
};

struct page {
    struct tool_run *run;
    const struct page_options *options;
    struct devtools devtools;
    struct requests requests;
    struct context context;
    char session[64], frame[64], blank[64]; /* blank: the loader of what was shown before */
    bool loaded, idle, crashed;
    size_t dialogs, windows, errors;
    char first_error[200];
};

/* Loads the page at `address` and waits for its parts: of `assets`, or, without any, of what the
 * server fetches. ERR_FETCH_FAILED if it does not fetch the page itself; ERR_LIMIT_EXCEEDED if it
 * does not come to its end in time, or needs too much memory; ERR_INVALID_PARAMETER for a selector
 * that cannot be read. */
int page_open(struct page *page, struct tool_run *run, const struct page_options *options,
              struct assets *assets, const char *address, struct err *err);
void page_close(struct page *page);
/* To be called once the page is not needed any more, and then page_left, after other work: whether
 * Chromium has nothing left of it and can show another job's page (`companion_clean` of the run).
 */
void page_leave(struct page *page);
void page_left(struct page *page);

/* Runs an expression in a context that scripts of the page cannot reach, and returns its value. */
json_t *page_evaluate(struct page *page, const char *expression, struct err *err);
/* Handles messages until `*flag` is true. ERR_LIMIT_EXCEEDED as for page_open. */
int page_wait(struct page *page, const bool *flag, int64_t until_ms, struct err *err);
/* Warns of what the page was not allowed, and of its faults. */
int page_warn(struct page *page, struct err *err);
/* Fails with what is missing of the page, or warns of it. */
int page_check_missing(struct page *page, bool fails, struct err *err);
