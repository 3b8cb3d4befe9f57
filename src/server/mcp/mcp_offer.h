/*
 * mcp_offer: what a server offers by the Model Context Protocol. mcp_message, mcp_reply and
 * mcp_turn know the protocol and no tool: /mcp has its offer in mcp.c, and the test of the protocol
 * (test/mcp/example.c) has one of the tools that the conformance suite asks for.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "server/mcp/mcp_message.h"

struct mcp_turn;

struct mcp_offer {
    const char *name, *description, *instructions;
    bool logs; /* calls of tools send log messages to clients of 2026-07-28 that ask for them */
    bool subscribes; /* these clients may subscribe to resources */

    json_t *(*tools)(void);     /* the array of tools/list; a new reference */
    json_t *(*prompts)(void);   /* the array of prompts/list */
    json_t *(*templates)(void); /* the array of resources/templates/list */
    /* The results of prompts/get and completion/complete. NULL with the fault set. */
    json_t *(*prompt)(const struct mcp_message *message, struct mcp_fault *fault);
    json_t *(*completion)(const json_t *params, struct mcp_fault *fault);
    /* Begins what may take time: tools/call, resources/list, resources/read, and
     * subscriptions/listen. It calls
     * mcp_turn_answer or mcp_turn_refuse once, perhaps before it returns and perhaps from another
     * thread. */
    void (*start)(struct mcp_turn *turn);
};
