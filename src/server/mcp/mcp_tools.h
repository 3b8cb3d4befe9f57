/* mcp_tools: what a model reads about the tools of /mcp (mcp_tools.json), and the check of their
 * arguments against that. */
#pragma once

#include <jansson.h>
#include <stddef.h>

/* All declarations, in a fixed order. A new reference. */
json_t *mcp_tools_list(void);

/*
 * Checks the arguments of a tool; `arguments` may be NULL. 0, or -1 with a sentence for the model
 * in `why`: what is wrong, and what is possible. 1: there is no such tool.
 */
int mcp_tools_check(const char *tool, const json_t *arguments, char *why, size_t cap);
