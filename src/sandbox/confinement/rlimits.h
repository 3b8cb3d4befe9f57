/* rlimits: limits the resources of a job's process, by setrlimit(2). */
#pragma once

#include "base/err.h"
#include "sandbox/protocol/worker_job.h"

/* Sets the limits for this process. `n_files`: limit of its descriptors. A limit of 0 is no limit.
 * Cannot be undone. The kernel counts threads as processes, so without `more` neither can be
 * created. */
int rlimits_enter(const struct worker_limits *limits, size_t n_files, bool more, struct err *err);

/* Sets the limits for a program that runs next to a job's process, and for each process that it
 * makes: what it can write to in memory, and descriptors. Address space is not limited, since a
 * browser reserves terabytes of it without using them. */
int rlimits_enter_companion(int64_t data_bytes, size_t n_files, struct err *err);

/* The address space of this process in bytes now: half a gigabyte for LibreOffice, most of it never
 * touched. */
int64_t rlimits_mapped(void);
