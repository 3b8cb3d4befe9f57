/* batch: `platen run --each`: one tool on each of many files. */
#pragma once

#include "cmd/run_task.h"

/*
 * Runs the order on each of its files, order->jobs at a time, with all results in the folder
 * `place`. A terminal shows how many are done. Failed files are reported at the end and do not stop
 * the others. Returns the exit status: 0 all are done, 1 one failed, 2 nothing was begun because
 * two results would have one name. On SIGINT, SIGTERM or SIGHUP running jobs are stopped, nothing
 * is left of them, and the process ends by that signal.
 */
int batch_run(const struct run_order *order, const struct config *config,
              const struct signer_client *signer, const struct place *place);
