/*
 * postgres_group: calls of many threads that share a transaction.
 *
 * Calls with the same key wait for the same lock of the database (the row of an account), which is
 * held until a commit is on the disk. While one call with a key is under way, further ones are
 * collected; then all of them are sent as one statement, which is one round trip, one transaction
 * and one wait for the disk. A call that meets no other is sent at once, as if there were no group.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "store/postgres_db.h"

/* Calls that one transaction holds at most. */
#define POSTGRES_GROUP_MOST 32

/* A call that takes part. */
struct postgres_member {
    const struct postgres_value *values; /* its parameters, borrowed */
    size_t n_values;
    void *own;        /* what `run` wants to know of it, borrowed */
    PGresult *result; /* set by `run`, the caller's; NULL: failed, and err says why */
    struct err err;
    struct postgres_member *next; /* of the same batch; NULL: it is the last */
};

struct postgres_group;

/* `run` does a batch of at least one and at most POSTGRES_GROUP_MOST calls and sets the result of
 * each. It is called for one batch of a key at a time. NULL if memory is short. */
struct postgres_group *postgres_group_new(void (*run)(void *cls, struct postgres_member *batch),
                                          void *cls, struct err *err);
/* Nobody may be in a call. NULL is allowed. */
void postgres_group_free(struct postgres_group *group);

/* Returns when the call was done. */
void postgres_group_call(struct postgres_group *group, int64_t key, struct postgres_member *member);

/* A `run` for functions that give one row: every call is SELECT * FROM function(parameters). A
 * batch that fails as a whole, by the fault of one of its calls, is done once more one by one. */
struct postgres_batch {
    struct postgres_db *db;
    const char *function;
};
void postgres_batch_run(void *batch, struct postgres_member *members);
