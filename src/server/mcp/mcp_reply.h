/* mcp_reply: the messages of the server: results and errors, and what the server says of itself. */
#pragma once

#include <jansson.h>

#include "server/mcp/mcp_offer.h"

/* The message with a result, which it owns. NULL: out of memory; so for all of these. */
json_t *mcp_reply_result(const struct mcp_offer *offer, const struct mcp_message *message,
                         json_t *result);
/* The message with an error. It owns fault->data. */
json_t *mcp_reply_fault(const struct mcp_message *message, const struct mcp_fault *fault);
/* A notification, which owns its params. */
json_t *mcp_reply_note(const char *method, json_t *params);

/* Whether the method is one of those that take time, which the offer's `start` answers. */
bool mcp_reply_is_slow(const struct mcp_offer *offer, const struct mcp_message *message);
/* The result of any other method. NULL with the fault set: there is no such method, or its params
 * are wrong. */
json_t *mcp_reply_plain(const struct mcp_offer *offer, const struct mcp_message *message,
                        struct mcp_fault *fault);
