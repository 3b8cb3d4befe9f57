/*
 * pulse: renews the one lease by which a server of a shared store holds its jobs, and finds out
 * what other servers did: that a job waits, or that a job ended for which somebody here waits.
 *
 * It queries the store once a second while jobs run here, and every PULSE_IDLE_MS otherwise: that
 * is all that a server without work costs. If notifications of other servers arrive (store_ring),
 * news comes at once; if not, it queries more often for a while after there was something to do.
 * After half a lease without a response the server stops its jobs, because others may claim them at
 * the end of the lease (execution.h); until it has a response again it claims none.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "data/store/store.h"
#include "server/dispatch/dispatcher.h"
#include "server/dispatch/hub.h"

#define PULSE_IDLE_MS 2500
/* About this many of the servers that hear of a waiting job try to claim it, because each attempt
 * costs the database a statement. If none of them has room for the job, the others find it at their
 * next beat; the more servers there are, the sooner one of them has a beat. */
#define PULSE_LOOKERS 8
#define PULSE_BUSY_MS 1000 /* between two beats while jobs run */
#define PULSE_KEEN_MS 200  /* after there was something to do, if notifications do not arrive */

struct pulse;

struct pulse_config {
    struct store *store; /* a shared one */
    struct dispatcher *dispatcher;
    struct hub *hub;
    atomic_int_fast64_t *pending; /* set to the number of waiting jobs */
};

/* Starts the pulse. When this returns, the store has acknowledged the first beat. */
struct pulse *pulse_new(const struct pulse_config *config, struct err *err);
/* Stops renewing: the lease then expires. The dispatcher must have stopped. NULL is allowed. */
void pulse_stop(struct pulse *pulse);
/* Frees the pulse, after the store was closed, whose thread calls it until then. NULL is allowed.
 */
void pulse_free(struct pulse *pulse);
/* Whether a server that knows `others` other live servers tries to claim a job that all of them
 * have heard of. `chance`: a random number of 16 bits. */
bool pulse_is_looker(int64_t others, uint16_t chance);
/* Whether the store has chosen this server to do periodic work for all servers; true once for each
 * time it is chosen. */
bool pulse_is_chosen(struct pulse *pulse);
