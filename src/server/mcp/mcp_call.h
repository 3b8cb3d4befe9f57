/*
 * mcp_call: one call of a tool, as a sequence of requests to the API. It does no input or output
 * itself: while it returns MCP_CALL_ASK, its caller makes the request in call->ask and hands the
 * answer to mcp_call_answer.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "base/buf.h"
#include "sandbox/worker/catalog.h"
#include "server/mcp/mcp_form.h"

enum mcp_call_next {
    MCP_CALL_ASK,  /* call->ask has a request */
    MCP_CALL_DONE, /* call->result has the result; NULL: out of memory */
    MCP_CALL_NONE, /* there is no such tool */
};

struct mcp_ask {
    const char *method;
    struct buf target;
    char type[80];   /* Content-Type; "": no body */
    char prefer[24]; /* Prefer; "": none */
    struct buf body;
};

enum mcp_call_step {
    MCP_STEP_JOB,
    MCP_STEP_JOBS,
    MCP_STEP_TICKET,
    MCP_STEP_TEXT,
    MCP_STEP_DATA,
    MCP_STEP_DELETED,
};

struct mcp_call {
    struct mcp_ask ask;
    json_t *result;

    enum mcp_call_step step; /* what the next answer is */
    const char *sentence;    /* of MCP_STEP_DATA */
    json_t *job;             /* of MCP_STEP_TEXT */
};

/* Begins a call; `arguments` may be NULL, and is not needed afterwards. mcp_call_free in any
 * case. */
enum mcp_call_next mcp_call_begin(struct mcp_call *call, const struct catalog *catalog,
                                  const char *tool, const json_t *arguments);
/* Goes on with the answer to call->ask. */
enum mcp_call_next mcp_call_answer(struct mcp_call *call, int status, const void *body, size_t n);
void mcp_call_free(struct mcp_call *call);
