/*
 * sqlite_backup: copies the database as it is at one moment, while a server uses it, and lists the
 * files that the copy needs.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "data/job/job.h"

/* Copies what is committed in the database at `path` to the new file `to` (mode 0600), durably,
 * without migrating it. Others may write meanwhile. On failure `to` does not exist. */
int sqlite_backup(const char *path, const char *to, struct err *err);

/* The same at the moment when `frozen` is called: the database does not change until it returns,
 * so that files can be copied to match. Servers wait meanwhile, up to 10 seconds. */
int sqlite_backup_frozen(const char *path, const char *to,
                         int (*frozen)(void *arg, struct err *err), void *arg, struct err *err);

/* Runs SQLite's own check on the database at `path`; ERR_CORRUPT_FILE if it fails. */
int sqlite_backup_check(const char *path, struct err *err);

/* Calls each(arg, job) for every job in that database that needs files (pending, running or
 * completed), with id, state, inputs_json, n_inputs, has_secret, attempt, output_bytes and in_store
 * set. A negative result ends the loop and is returned. The texts are borrowed for the call. */
int sqlite_backup_jobs(const char *path,
                       int (*each)(void *arg, const struct job *job, struct err *err), void *arg,
                       struct err *err);
