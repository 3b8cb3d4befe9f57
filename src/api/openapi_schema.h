/* openapi_schema: the form of a tool's submission as JSON Schema. */
#pragma once

#include <jansson.h>

#include "tool/tool.h"

/* The caller's; NULL when memory is short. */
json_t *openapi_request_schema(const struct tool *tool);
