/*
 * sqlite_backup: a copy of the database as it was at one moment, while a server works with it; and
 * what that copy needs beside it.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"
#include "job/job.h"

/* Copies what is committed in the database at `path` to the new file `to` (mode 0600), durably.
 * Nothing is migrated. Others may write meanwhile. On failure `to` is not there. */
int sqlite_backup(const char *path, const char *to, struct err *err);

/* The same, of the moment at which `frozen` is called: until it returns nobody changes the
 * database, so that files can be made to fit. Servers wait meanwhile, up to 10 seconds. */
int sqlite_backup_frozen(const char *path, const char *to,
                         int (*frozen)(void *cls, struct err *err), void *cls, struct err *err);

/* Whether the database at `path` is sound, by SQLite's own check; ERR_CORRUPT_FILE if it is not. */
int sqlite_backup_check(const char *path, struct err *err);

/* Calls each(cls, job) for every job of that database which needs files (pending, running or
 * completed), with id, state, inputs_json, n_inputs, has_secret, attempt and output_bytes; below 0
 * ends it. The texts are borrowed for the call. */
int sqlite_backup_jobs(const char *path,
                       int (*each)(void *cls, const struct job *job, struct err *err), void *cls,
                       struct err *err);
