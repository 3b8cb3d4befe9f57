/*
 * connection: the server's connection to one worker program, whichever process that is at the
 * moment. Safe from any thread.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct connection;

/* Starts the program and waits for its hello. */
struct connection *connection_open(const char *name, const char *program, struct err *err);
void connection_close(struct connection *connection);
/* What the program said when it was started first; one that says otherwise later is refused.
 * Borrowed. */
json_t *connection_hello(const struct connection *connection);

/* Whether the program, as often as it was started, said once that its trials succeeded; one without
 * trials is ready from its hello on. Else *why, if there is anything to say. Waits for nothing. A
 * program that ends before it is ready is started again, after a pause that grows. */
bool connection_ready(struct connection *connection, char *why, size_t cap);
/* Whether its trials have failed several times, each time after a start: it will not be ready any
 * more, and its tools should not be offered. */
bool connection_given_up(const struct connection *connection);

/*
 * Sends one message; not mixed with those of other threads. If the zygote has died it is started
 * anew, by one thread at a time and after a pause that grows while it dies at once. `stopped` is
 * asked now and then while waiting for that; true ends the wait with an error.
 * *life says which zygote it was, for connection_lost.
 */
int connection_send(struct connection *connection, const struct buf *text, const int *fds,
                    size_t n_fds, bool (*stopped)(void *cls), void *cls, unsigned *life,
                    struct err *err);
/* That zygote is gone or no use: ends it and whatever it runs. The next connection_send gets a new
 * one.
 */
void connection_lost(struct connection *connection, unsigned life);
