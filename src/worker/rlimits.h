/* rlimits: what a job's process may use, by setrlimit(2). */
#pragma once

#include "base/err.h"
#include "worker/worker.h"

/* `n_files`: how many descriptors it may have. A limit of 0 is no limit. Cannot be undone. The
 * kernel counts threads as processes, so without `threads` there is none of either. */
int rlimits_enter(const struct worker_limits *limits, size_t n_files, bool threads,
                  struct err *err);

/* Address space of this process now: of LibreOffice half a gigabyte, most of it never touched. */
int64_t rlimits_mapped(void);
