/*
 * mcp_turn: one request of a client over HTTP ("Streamable HTTP"), from its message to the
 * server's. A request is answered with one JSON object, or, if there are notifications for it and
 * the client accepts them, with an event stream (text/event-stream) that ends with the answer.
 * There are no sessions: nothing is remembered after that.
 */
#pragma once

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "server/http/server.h"
#include "server/mcp/mcp_offer.h"

struct mcp_turn {
    const struct mcp_offer *offer;
    struct http_request *req;
    struct mcp_message message;
    struct buf body;

    bool accepts; /* the client accepts an event stream */
    pthread_mutex_t lock;
    struct buf events; /* of the stream, those that were not sent yet */
    size_t sent;       /* bytes of them */
    bool open, ended;  /* the stream has begun; it has the answer */
    bool asking;       /* `more` is being called */
    void (*more)(void *arg);
    void *arg;
};

void mcp_turn_init(struct mcp_turn *turn, const struct mcp_offer *offer, struct http_request *req);
/* Frees what the turn holds. */
void mcp_turn_free(struct mcp_turn *turn);

/* Checks the headers of the request. */
int mcp_turn_head(const struct mcp_turn *turn, struct err *err);
/* Keeps a piece of the body. */
int mcp_turn_body(struct mcp_turn *turn, const void *data, size_t n, struct err *err);
/* Reads the message, and answers it or begins to. */
enum http_next mcp_turn_end(struct mcp_turn *turn, struct http_response *resp);

/* Answers with a result, which it owns; NULL: out of memory. Once, unless mcp_turn_refuse is
 * called. */
void mcp_turn_answer(struct mcp_turn *turn, json_t *result);
/* Answers with an error. */
void mcp_turn_refuse(struct mcp_turn *turn, const struct mcp_fault *fault);

/* Sends a notification, which owns its params, to a client that accepts a stream. */
void mcp_turn_note(struct mcp_turn *turn, const char *method, json_t *params);
/* Sends a comment, so that proxies keep the connection, and it is seen if the client has left. */
void mcp_turn_beat(struct mcp_turn *turn);
/* Whether the client asked for what is sent before the answer: reports of progress, or log messages
 * of the level "info". */
bool mcp_turn_wants_stream(const struct mcp_turn *turn);
/* Reports progress, which never becomes less: 0 to `total`. Nothing if the client did not ask. */
void mcp_turn_progress(struct mcp_turn *turn, double progress, double total, const char *text);
/* Sends a log message of a level ("debug" to "emergency"). It owns data. Nothing if the client did
 * not ask for that level. */
void mcp_turn_log(struct mcp_turn *turn, const char *level, const char *logger, json_t *data);

/*
 * Begins to send the stream before there is an answer. From then on one of the server's threads
 * calls more(arg) at least once after each http_stream_wake of the request, until there is an
 * answer; it may notify and answer.
 */
void mcp_turn_open(struct mcp_turn *turn, void (*more)(void *arg), void *arg);
