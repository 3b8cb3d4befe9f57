/*
 * mcp_follow: a call of a tool that waits for its job follows it, for a client that asked for
 * reports of progress or for log messages: the hub tells of each change, and wakes the stream.
 */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/id.h"
#include "server/api_call/api.h"
#include "server/mcp/mcp_turn.h"

struct mcp_follow {
    struct mcp_turn *turn;
    struct hub *hub;
    char job[ID_TEXT];
    struct hub_listener *listener; /* NULL: nothing is followed */
    uint64_t ticket;               /* of the wait; 0: none */
    bool looked;                   /* the job's state was asked for once */
    int percent;                   /* the progress that was reported last */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool rung; /* the time is over, or the job has ended */
};

/* Begins to follow a job of an account for some seconds; the stream is not open yet. -1: it cannot
 * be followed. */
int mcp_follow_begin(struct mcp_follow *follow, struct mcp_turn *turn, const char *job,
                     int64_t owner, int64_t seconds, struct err *err);

enum mcp_follow_news {
    MCP_FOLLOW_NOTHING,
    MCP_FOLLOW_LOOK, /* the job may have ended: its state is to be read */
    MCP_FOLLOW_LAST, /* the same, and it is not followed any longer */
};

/* Reports the progress, if there is more, and says what is to be done. */
enum mcp_follow_news mcp_follow_look(struct mcp_follow *follow);

/* Ends it: afterwards nothing wakes the stream. Nothing if it never began. */
void mcp_follow_end(struct mcp_follow *follow);
