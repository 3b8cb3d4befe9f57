/*
 * connection: the server's connection to one worker program, which may be restarted. May be used by
 * any thread.
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
/* The hello of the program's first start, borrowed; later ones must be equal. */
json_t *connection_hello(const struct connection *connection);

/* Whether the program reported once, after any of its starts, that its self-tests succeeded; one
 * without self-tests is ready from its hello on. Else *why has the reason, if there is one. Does
 * not wait. A program that ends before it is ready is started again after an increasing delay. */
bool connection_ready(struct connection *connection, char *why, size_t cap);
/* Whether the program's self-tests have failed after several starts: it will not become ready, and
 * its tools should not be offered. */
bool connection_given_up(const struct connection *connection);

/*
 * Sends one message, not mixed with those of other threads. If the zygote has died it is restarted,
 * by one thread at a time and after a delay that increases while it dies at once. While waiting for
 * that, `stopped` is called now and then; true ends the wait with an error. *life identifies the
 * zygote for connection_lost.
 */
int connection_send(struct connection *connection, const struct buf *text, const int *fds,
                    size_t n_fds, bool (*stopped)(void *arg), void *arg, unsigned *life,
                    struct err *err);
/* Reports that the zygote is gone or unusable: ends it and its jobs. The next connection_send
 * starts a new one. */
void connection_lost(struct connection *connection, unsigned life);
