/*
 * zygote: the main function of a worker program. The server starts it with a socket as descriptor
 * 3; it sends the list of its tools, and from then on makes one process for each job that it
 * receives. It is single-threaded, never parses a request and keeps nothing of one. It ends when
 * the server ends, and its children with it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "declare/tool/tool.h"
#include "sandbox/confinement/sandbox.h"
#include "sandbox/zygote/companion.h"

/* A self-test: a job of the program's own that must succeed before the program counts as ready. */
struct zygote_trial {
    const char *tool, *name; /* name: of the file */
    const void *data;
    size_t n;
};

/* What a program with slow, demanding libraries needs; every member may be left out. */
struct zygote_setup {
    /* A quick check before anything is sent to the server. On failure the program's tools are
     * not available here; err says why, for people. */
    int (*look)(struct err *err);
    /* May take seconds: the server continues meanwhile and jobs wait. `folder` is the program's
     * own, NULL without folder_bytes. Children inherit what it prepares, descriptors too, except
     * that each child gets new pipes and eventfds, since two children that share one would read
     * each other's bytes. On failure the program ends. */
    int (*warm)(const char *folder, struct err *err);
    bool warm_late; /* a job that arrives first need not wait for `warm` */
    /* Called about once a second: whether anything that `warm` read has changed. The program
     * then restarts itself as soon as no job runs. */
    bool (*stale)(void);
    const struct zygote_trial *trials; /* run alongside the first jobs, in order */
    size_t n_trials;
    int64_t trial_ms; /* wall time that a trial may take; 0: two minutes */
    struct sandbox_needs needs;
    /* Above 0 every job has a folder of its own (declare/tool_run/run.h) with at most this many
     * bytes in it; a process that exceeds them is ended. The folder is emptied and removed after
     * the job. */
    int64_t folder_bytes;
    /* A program that runs next to each job's process (NULL: none). Requires folder_bytes. */
    const struct companion_setup *companion;
};

/* Runs a worker program. `warm`, if not NULL, is called once while no job waits; children inherit
 * what it prepares. Returns the exit status of the program: 2 if the server did not start it. With
 * the argument --describe it prints the tools (announce_tools) and does nothing else. */
int zygote_main(const char *name, const struct tool *const *tools, size_t n_tools,
                void (*warm)(void), int argc, char **argv);
/* Like zygote_main, for a program with a setup. */
int zygote_main_with(const char *name, const struct tool *const *tools, size_t n_tools,
                     const struct zygote_setup *setup, int argc, char **argv);
