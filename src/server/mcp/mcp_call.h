/*
 * mcp_call: one call of a tool, or a read of resources, as a sequence of requests to the API. It
 * does no input or output itself: while it returns MCP_CALL_ASK, its caller makes the request in
 * call->ask and hands the answer to mcp_call_answer.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/id.h"
#include "sandbox/worker/catalog.h"
#include "server/mcp/mcp_form.h"
#include "server/mcp/mcp_message.h"

enum mcp_call_next {
    MCP_CALL_ASK,    /* call->ask has a request */
    MCP_CALL_DONE,   /* call->result has the result; NULL: out of memory, unless it was refused */
    MCP_CALL_NONE,   /* there is no such tool */
    MCP_CALL_SEEN,   /* call->found and call->over tell the state of the job of mcp_call_see */
    MCP_CALL_FOLLOW, /* the job in call->job_id is to be followed for call->seconds */
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
    MCP_STEP_SEE,  /* the state of a job */
    MCP_STEP_LIST, /* of resources */
    MCP_STEP_FIND, /* the job of a resource */
    MCP_STEP_FILE, /* the content of one */
};

struct mcp_call {
    struct mcp_ask ask;
    size_t most; /* limit of the bytes of an answer that is a file */
    json_t *result;
    bool refused; /* in place of a result there is a fault */
    struct mcp_fault fault;

    enum mcp_call_step step; /* what the next answer is */
    const char *sentence;    /* of MCP_STEP_DATA */
    json_t *job;             /* of MCP_STEP_TEXT and MCP_STEP_FILE */
    bool modern;             /* as of the message; of resources */
    const char *uri;         /* of the resource; borrowed */

    bool follows; /* the caller follows jobs, which the API need not wait for */
    bool last;    /* the next answer ends the call, whether the job has ended or not */
    int seconds;
    char job_id[ID_TEXT];
    bool found, over; /* whether there is such a job, and whether it has ended */
};

/* Begins a call; `arguments` may be NULL, and is not needed afterwards. With `follows` it may
 * return MCP_CALL_FOLLOW, once. mcp_call_free in any case. */
enum mcp_call_next mcp_call_begin(struct mcp_call *call, const struct catalog *catalog,
                                  const char *tool, const json_t *arguments, bool follows);
/* Asks for the state of the job that is followed. If it has not ended, the answer changes nothing,
 * unless it is the last one. */
enum mcp_call_next mcp_call_look(struct mcp_call *call, bool last);
/* Asks for it so that the API waits: the job cannot be followed. */
enum mcp_call_next mcp_call_await(struct mcp_call *call);
/* The same for resources/list (`cursor`: NULL for the first page) and resources/read. The texts are
 * needed until the end. */
enum mcp_call_next mcp_call_list(struct mcp_call *call, const char *cursor, bool modern);
enum mcp_call_next mcp_call_read(struct mcp_call *call, const char *uri, bool modern);
/* Asks for the state of a job. */
enum mcp_call_next mcp_call_see(struct mcp_call *call, const char *id);
/* Goes on with the answer to call->ask. */
enum mcp_call_next mcp_call_answer(struct mcp_call *call, int status, const void *body, size_t n);
void mcp_call_free(struct mcp_call *call);
