/* attempt: runs one job in one zygote, from sending it to the end of its process. */
#pragma once

#include "declare/tool/tool.h"
#include "sandbox/worker/connection.h"
#include "sandbox/worker/worker.h"

/* Like worker_run (sandbox/worker/worker.h). The job's tool is `tool`; `name` is for logs. */
enum worker_end attempt_run(struct connection *connection, const char *name,
                            const struct tool *tool, const struct worker_job *job,
                            struct worker_result *result, struct err *err);

/* Starts the series of platen_worker_kills_total for a tool at 0, one for each reason. */
void attempt_count_from_zero(const char *tool);
