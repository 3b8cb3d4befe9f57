/*
 * describe: converts a tool's declaration to JSON and back. A worker program writes its tools when
 * it starts, and the server reads them: it has no other knowledge of the tools.
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "declare/tool/tool.h"

/* Converts a declaration to JSON. Returns a new reference; NULL when out of memory. */
json_t *tool_describe(const struct tool *tool);
/* Converts JSON to a declaration. Returns a tool whose texts are in `json`, which must outlive it;
 * tool_forget frees the rest. */
struct tool *tool_recall(const json_t *json, struct err *err);
void tool_forget(struct tool *tool);
