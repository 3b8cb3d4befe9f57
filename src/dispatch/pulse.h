/*
 * pulse: keeps the one lease by which a server of a shared store holds its jobs, and finds out what
 * the other servers did: that a job waits, that a job ended that somebody here waits for.
 *
 * It asks the store once a second while jobs run here, and every PULSE_IDLE_MS otherwise: that is
 * the whole cost of a server without work. Where servers hear each other (store_ring) news come at
 * once; where they do not, it asks more often for a while after there was something to do. Half a
 * lease without an answer, and the server gives up its jobs, because others may take them at the
 * end of the lease (turn.h); until it has an answer again it claims none.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "dispatch/dispatcher.h"
#include "dispatch/hub.h"
#include "store/store.h"

#define PULSE_IDLE_MS 2500
#define PULSE_BUSY_MS 1000
#define PULSE_KEEN_MS 200 /* after there was something to do, where nobody is heard */

struct pulse;

struct pulse_config {
    struct store *store; /* shared */
    struct dispatcher *dispatcher;
    struct hub *hub;
    atomic_int_fast64_t *pending; /* set: jobs that wait */
};

/* The first beat has been acknowledged when it returns. */
struct pulse *pulse_new(const struct pulse_config *config, struct err *err);
/* Asks no more: the lease ends in its time. The dispatcher must have stopped. NULL is allowed. */
void pulse_stop(struct pulse *pulse);
/* After the store was closed, which calls it until then. NULL is allowed. */
void pulse_free(struct pulse *pulse);
/* Whether this server is the one that does what one of them must do for all; told once for each
 * time it is chosen. */
bool pulse_is_chosen(struct pulse *pulse);
