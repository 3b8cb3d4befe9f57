/*
 * mcp_listen: subscriptions/listen (2026-07-28): a stream that tells when jobs have ended or were
 * deleted, whose resources `job:ID` the client named. It ends when there is nothing left to tell.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/id.h"
#include "server/mcp/mcp_turn.h"

#define MCP_LISTEN_JOBS 20 /* limit of one stream */

struct hub;

struct mcp_listen_job {
    const char *uri; /* borrowed from the message */
    char id[ID_TEXT];
    struct hub_listener *listener; /* NULL: there is nothing more to tell */
};

struct mcp_listen {
    struct mcp_turn *turn;
    struct hub *hub; /* NULL: nothing is listened to */
    int64_t owner;
    size_t n, asked; /* jobs, and those whose state was asked for */
    struct mcp_listen_job jobs[MCP_LISTEN_JOBS];
    bool over[MCP_LISTEN_JOBS]; /* the job has ended before the stream began */
};

/* What the API says of a job. */
enum mcp_listen_state { MCP_LISTEN_GONE, MCP_LISTEN_PENDING, MCP_LISTEN_OVER };

/* Reads what the client wants to hear of, for an account. -1 with the fault set. */
int mcp_listen_read(struct mcp_listen *listen, struct mcp_turn *turn, struct hub *hub,
                    int64_t owner, struct mcp_fault *fault);
/* Returns 1 with the next job whose state is to be read, and of which no event is missed from now
 * on; 0 if no job is left; -1 if the hub has too many listeners. */
int mcp_listen_next(struct mcp_listen *listen, const char **id, struct err *err);
/* The state of that job. What is gone is not subscribed to. */
void mcp_listen_found(struct mcp_listen *listen, enum mcp_listen_state state);
/* Acknowledges the subscription. False: there is nothing to wait for. */
bool mcp_listen_begin(struct mcp_listen *listen);
/* Tells what is new. False: there is nothing more to wait for. */
bool mcp_listen_look(struct mcp_listen *listen);
/* The result that ends the stream. */
json_t *mcp_listen_result(const struct mcp_listen *listen);
/* Ends it: afterwards nothing wakes the stream. Nothing if it never began. */
void mcp_listen_end(struct mcp_listen *listen);
