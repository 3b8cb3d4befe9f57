/*
 * scan_run: runs a tool on one document. A tool that reads pages and declares a `transcriber` finds
 * no text on scans: that tool, of another program, then writes them as pages of text first, and the
 * tool reads the result. Documents without scans are read once, and the transcriber has no part in
 * them.
 */
#pragma once

#include "sandbox/worker/catalog.h"

/* How to make files for what comes between two processes: stage(arg, err) makes one, open for
 * reading and writing, that a worker under another user can open again. It returns the descriptor,
 * which the caller closes, or -1. */
struct scan_run_files {
    int (*stage)(void *arg, struct err *err);
    void *arg;
};

/* Like worker_run, with the tool's parameters in job->params; job->tool is ignored. Each process
 * has the limits of one job. */
enum worker_end scan_run(const struct catalog *catalog, const struct tool *tool,
                         const struct worker_job *job, const struct scan_run_files *files,
                         struct worker_result *result, struct err *err);
