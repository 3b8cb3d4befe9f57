/*
 * catalog: every tool this installation has, with the worker program that runs it. The programs
 * are looked for in one folder; one that is missing or does not start takes its tools with it.
 */
#pragma once

#include <stdbool.h>

#include "worker/worker.h"

struct catalog;

/* `folder`: of the programs; "" is the folder of this program itself. Fails only if no program at
 * all could be started. `tools`: the only ones that are wanted (NULL-terminated): the programs that
 * likely have them are started, and others only while one is not found. NULL: all are wanted. */
struct catalog *catalog_open(const char *folder, bool allow_unsandboxed, const char *const *tools,
                             struct err *err);
void catalog_close(struct catalog *catalog);

/* Whether every program is ready, or is known never to be (worker_is_absent); else why one is not,
 * for people. */
bool catalog_ready(const struct catalog *catalog, char *why, size_t cap);

/* Borrowed, in the order of the programs' own lists, without the hidden ones; NULL past the end. */
const struct tool *catalog_at(const struct catalog *catalog, size_t i);
/* NULL if there is no such tool here. */
const struct tool *catalog_find(const struct catalog *catalog, const char *name,
                                struct worker **worker);
/* The worker programs of this build, in the order of the list; NULL past the end. */
const char *catalog_program(size_t i);
/* The program that this build put the tool into; the first if nobody knows. */
const char *catalog_home(const char *tool);

/* The name of the tool here that was likely meant; NULL if none is near. */
const char *catalog_nearest(const struct catalog *catalog, const char *name);
/* Programs that were looked for and their state: "platen-worker: 5 tools, sandbox: ..." or why
 * their tools are absent. NULL past the end. */
const char *catalog_note(const struct catalog *catalog, size_t i);
