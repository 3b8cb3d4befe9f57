/*
 * postgres_bell: servers that share a database wake each other by NOTIFY.
 *
 * It has a connection and a thread of its own: the commit of a transaction that notifies takes a
 * lock that all such commits of the database share, so NOTIFY never is part of a transaction that
 * does something else. Rings that come within POSTGRES_BELL_MS of each other are one. Nothing
 * depends on it: whoever hears nothing asks the database now and then. Behind a pooler in
 * transaction mode, which takes the connection away after each statement, the bell stays silent.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"

#define POSTGRES_BELL_MS 50

struct postgres_bell;

/* `heard` is called by the bell's thread for what other servers rang (bits, at most 8), and with
 * all of them when the connection was made anew, because something may have been missed. */
struct postgres_bell *postgres_bell_new(const char *url, void (*heard)(void *cls, unsigned what),
                                        void *cls, struct err *err);
void postgres_bell_free(struct postgres_bell *bell);
/* Returns at once. */
void postgres_bell_ring(struct postgres_bell *bell, unsigned what);
/* Whether others are heard now. */
bool postgres_bell_works(struct postgres_bell *bell);
