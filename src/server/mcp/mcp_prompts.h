/* mcp_prompts: the prompts of the server (mcp_prompts.json), which people choose in their client,
 * and what their arguments may be. */
#pragma once

#include <jansson.h>

#include "server/mcp/mcp_message.h"

/* The array of prompts/list. NULL: out of memory. */
json_t *mcp_prompts_list(void);
/* The results of prompts/get and completion/complete. NULL with the fault set: there is no such
 * prompt or argument, or a required one is missing. */
json_t *mcp_prompts_get(const struct mcp_message *message, struct mcp_fault *fault);
json_t *mcp_prompts_complete(const json_t *params, struct mcp_fault *fault);
