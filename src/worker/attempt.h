/* attempt: one job through one zygote, from sending it to the end of its process. */
#pragma once

#include "tool/tool.h"
#include "worker/connection.h"
#include "worker/worker.h"

/* As worker_run (worker/worker.h); the job's tool is `tool`, `name` is for logs. */
enum worker_end attempt_run(struct connection *connection, const char *name,
                            const struct tool *tool, const struct worker_job *job,
                            struct worker_result *result, struct err *err);
