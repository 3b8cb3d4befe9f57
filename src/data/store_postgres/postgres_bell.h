/*
 * postgres_bell: servers that share a database wake each other by NOTIFY.
 *
 * It has a connection and a thread of its own: the commit of a transaction that notifies takes a
 * lock that all such commits of the database share, so NOTIFY is never part of another transaction.
 * Rings within POSTGRES_BELL_MS of each other are merged. Correctness does not depend on it:
 * servers also poll the database. With a pooler in transaction mode between them, which takes the
 * connection away after each statement, no notification arrives.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

#define POSTGRES_BELL_MS 50

struct postgres_bell;

/* The bell's thread calls `heard` with the bits (at most 8) that other servers rang, and with
 * all bits after it has reconnected, because some may have been missed. */
struct postgres_bell *postgres_bell_new(const char *url, void (*heard)(void *arg, unsigned what),
                                        void *arg, struct err *err);
void postgres_bell_free(struct postgres_bell *bell);
/* Notifies other servers of the events in `what`. Returns at once. */
void postgres_bell_ring(struct postgres_bell *bell, unsigned what);
/* Whether notifications of other servers arrive now. */
bool postgres_bell_works(struct postgres_bell *bell);
