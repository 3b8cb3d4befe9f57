/* openapi_schema: the JSON Schema of a tool's submission. */
#pragma once

#include <jansson.h>

#include "declare/tool/tool.h"

/* Makes the schema. Returns a new reference, NULL without memory. */
json_t *openapi_request_schema(const struct tool *tool);
