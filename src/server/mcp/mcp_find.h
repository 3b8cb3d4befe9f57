/* mcp_find: find_tool: the tools that fit a few words, and the params of one. */
#pragma once

#include <jansson.h>

#include "sandbox/worker/catalog.h"

/* Answers as mcp_show.h has it. `query` and `tool` may be NULL. */
json_t *mcp_find(const struct catalog *catalog, const char *query, const char *tool);
