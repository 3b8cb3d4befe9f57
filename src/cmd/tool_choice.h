/* tool_choice: the jobs that a server does of a store that several share (setting `tools`). */
#pragma once

#include "base/err.h"
#include "store/store.h"
#include "worker/catalog.h"

/*
 * Has the store claim only jobs of the tools that `words` chooses among those of the catalog. Words
 * have blanks or commas between them. A word is a tool, or the name of a worker program without
 * "platen-" ("office"), which stands for all its tools; with "!" before it, it takes away what it
 * names. "" and words that only take away begin with all tools. ERR_INVALID_PARAMETER for a name
 * that is none, and if no tool is left. Where a worker program is absent, its tools are left to
 * other servers.
 */
int tool_choice_apply(struct store *store, const struct catalog *catalog, const char *words,
                      struct err *err);
