/*
 * catalog: all tools of this installation, with the worker program that runs each. The programs are
 * searched in one folder; the tools of a program that is missing or does not start are missing,
 * too.
 */
#pragma once

#include <stdbool.h>

#include "sandbox/worker/worker.h"

struct catalog;

/* Opens the worker programs in `folder`; "" is the folder of this program itself. Fails only if no
 * program could be started at all. `tools`: the only tools that are needed (NULL-terminated): the
 * programs that probably have them are started, and others only while one is not found. NULL:
 * all are needed. */
struct catalog *catalog_open(const char *folder, bool allow_unsandboxed, const char *const *tools,
                             struct err *err);
void catalog_close(struct catalog *catalog);

/* Whether every program is ready or has given up (worker_is_absent); else *why says, for people,
 * why one is not. */
bool catalog_ready(const struct catalog *catalog, char *why, size_t cap);

/* The i-th tool in the order of the programs' lists, without hidden ones, borrowed; NULL past
 * the end. */
const struct tool *catalog_at(const struct catalog *catalog, size_t i);
/* Finds a tool; NULL if it is not installed. */
const struct tool *catalog_find(const struct catalog *catalog, const char *name,
                                struct worker **worker);
/*
 * The worker program that does the job of a tool with these parameters, and as *name the name of
 * the tool that it is to run: the tool's delegate, if the parameter for that is given, or the
 * stronger one.
 * ERR_UNSUPPORTED_CONTENT if the delegate is not installed, or a transcriber that is asked for.
 * ERR_INVALID_PARAMETER for a value that the transcriber does not know.
 */
struct worker *catalog_route(const struct catalog *catalog, const struct tool *tool,
                             const struct param_input *in, size_t n_in, const char **name,
                             struct err *err);
/* Those of the parameters that another tool, a transcriber, has too: at most CATALOG_PARAMS. */
#define CATALOG_PARAMS 16
size_t catalog_common_params(const struct tool *other, const struct param_input *in, size_t n_in,
                             struct param_input out[static CATALOG_PARAMS]);
/* Starts the program that probably has the tool, if it was not needed until now. */
void catalog_start(struct catalog *catalog, const char *tool);
/* The worker programs of this build, in the order of the list; NULL past the end. */
const char *catalog_program(size_t i);
/* The program that this build put the tool into; the first one for an unknown tool. */
const char *catalog_home(const char *tool);
/* Whether LibreOffice runs this tool: the size of a document does not bound its work. */
bool catalog_is_office(const char *tool);

/* The name of the installed tool that was probably meant; NULL if none is similar. */
const char *catalog_nearest(const struct catalog *catalog, const char *name);
/* A line about each program: "platen-worker: 5 tools, sandbox: ..." or why its tools are
 * missing. NULL past the end. */
const char *catalog_note(const struct catalog *catalog, size_t i);
