/*
 * tool_table: the table of tools of the program that includes it. The build defines TOOLS as the
 * program's lines of tools.def: TOOL(merge) TOOL(split) and so on.
 */
#pragma once

#include "base/scope.h"
#include "declare/tool/tool.h"

#define TOOL(id) extern const struct tool tool_##id;
TOOLS
#undef TOOL

static const struct tool *const tools[] = {
#define TOOL(id) &tool_##id,
    TOOLS
#undef TOOL
};
