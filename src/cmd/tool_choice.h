/* tool_choice: the tools whose jobs a server claims from a store that several servers share
 * (setting `tools`). */
#pragma once

#include "base/err.h"
#include "data/store/store.h"
#include "sandbox/worker/catalog.h"

/*
 * Restricts the store's claims to the tools of the catalog that `words` selects. Words are
 * separated by blanks or commas. A word is a tool, or the name of a worker program without
 * "platen-" ("office"), which means all its tools; "!" before it removes them. "" and words that
 * only remove begin with all tools. ERR_INVALID_PARAMETER for an unknown name, and if no tool is
 * left. The tools of a worker program that is missing here are left to other servers.
 */
int tool_choice_apply(struct store *store, const struct catalog *catalog, const char *words,
                      struct err *err);
