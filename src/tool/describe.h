/*
 * describe: a tool's declaration as JSON and back. A worker program writes its tools when it
 * starts, the server reads them: this is the only way a tool becomes known to the server.
 */
#pragma once

#include <jansson.h>

#include "base/err.h"
#include "tool/tool.h"

/* A new reference. NULL when out of memory. */
json_t *tool_describe(const struct tool *tool);
/* A tool whose texts live in `json`, which must outlive it; tool_forget frees the rest. */
struct tool *tool_recall(const json_t *json, struct err *err);
void tool_forget(struct tool *tool);
