/*
 * zygote: the main of a worker program. It is started by the server with a socket as descriptor 3,
 * says what tools it has, and from then on makes one process for every job it is sent. It is
 * single-threaded, never looks into a request and keeps nothing of one. When the server goes away
 * it goes too, and its children with it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tool/tool.h"
#include "worker/sandbox.h"

#define ZYGOTE_CONTROL  3 /* the descriptor */
#define ZYGOTE_DESCRIBE "--describe"
#define ZYGOTE_PROTOCOL 1 /* of the messages; server and programs of one build go together */

/* A job of the program's own: it must end well before the program is called ready. */
struct zygote_trial {
    const char *tool, *name; /* of the file */
    const void *data;
    size_t n;
};

/* What a program with slow, demanding libraries needs; everything may be left out. */
struct zygote_setup {
    /* Quick, before anything is said to the server. Failing means that the program's tools cannot
     * be had here; err says why, to people. */
    int (*look)(struct err *err);
    /* May take seconds: the server goes on meanwhile and jobs wait. `folder` is the program's own,
     * NULL without folder_bytes. What is made ready its children find ready: descriptors too, but
     * a pipe or an eventfd each child has anew, as two that share one would take each other's
     * bytes. Failing ends the program. */
    int (*warm)(const char *folder, struct err *err);
    bool warm_late; /* jobs can do without: one that is there already need not wait */
    /* Asked about once a second: whether what warm read has changed. Then the program starts
     * itself anew as soon as no job runs. */
    bool (*stale)(void);
    const struct zygote_trial *trials; /* run beside the first jobs, in order */
    size_t n_trials;
    int64_t trial_ms; /* wall time a trial may take; 0: two minutes */
    struct sandbox_needs needs;
    /* Above 0 every job has a folder of its own (tool/run.h) with at most so many bytes in it; a
     * process that goes beyond them is ended. It is emptied and removed after the job. */
    int64_t folder_bytes;
};

/* `warm`, if not NULL, is called once when no job waits: what it makes ready its children find
 * ready. The exit status of the program: 2 if it was not started by the server. Called with
 * --describe, it prints its tools (announce_tools) and does nothing else. */
int zygote_main(const char *name, const struct tool *const *tools, size_t n_tools,
                void (*warm)(void), int argc, char **argv);
/* The same for a program with a setup. */
int zygote_main_with(const char *name, const struct tool *const *tools, size_t n_tools,
                     const struct zygote_setup *setup, int argc, char **argv);
