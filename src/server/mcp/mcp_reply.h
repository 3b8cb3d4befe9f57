/* mcp_reply: the messages of the server: results and errors, and what the server says of itself. */
#pragma once

#include <jansson.h>

#include "server/mcp/mcp_message.h"

/* The message with a result, which it owns. NULL: out of memory; so for all of these. */
json_t *mcp_reply_result(const struct mcp_message *message, json_t *result);
/* The message with an error. */
json_t *mcp_reply_fault(const struct mcp_message *message, const struct mcp_fault *fault);

/* The result of a method that needs nothing but the server: initialize, server/discover, ping,
 * tools/list, prompts/list, prompts/get, completion/complete. NULL with the fault set: there is no
 * such method, or its params are wrong. */
json_t *mcp_reply_plain(const struct mcp_message *message, struct mcp_fault *fault);
