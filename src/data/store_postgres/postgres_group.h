/*
 * postgres_group: combines calls of many threads into shared transactions (group commit).
 *
 * While one call is in progress, further ones are collected; then all of them are sent as one
 * statement, with one round trip, one transaction and one wait for the disk. A call that meets no
 * other is sent at once, as without a group.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "data/store_postgres/postgres_db.h"

/* Limit of the calls in one transaction. */
#define POSTGRES_GROUP_MOST 64

/* A call in a group. */
struct postgres_member {
    const struct postgres_value *values; /* its parameters, borrowed */
    size_t n_values;
    void *own;        /* context for `run`, borrowed */
    PGresult *result; /* set by `run`, owned by the caller; NULL: it failed, and err says why */
    struct err err;
    struct postgres_member *next; /* in the same batch; NULL: it is the last */
};

struct postgres_group;

/* Makes a group. `run` executes a batch of at least one and at most POSTGRES_GROUP_MOST calls and
 * sets the result of each. It is called for one batch at a time. NULL without memory. */
struct postgres_group *postgres_group_new(void (*run)(void *arg, struct postgres_member *batch),
                                          void *arg, struct err *err);
/* Frees a group; no thread may be in a call. NULL is allowed. */
void postgres_group_free(struct postgres_group *group);

/* Adds a call to the next batch, and returns when the call was executed. */
void postgres_group_call(struct postgres_group *group, struct postgres_member *member);

/* A `run` for functions whose parameters are arrays (bigint[], text[] or bytea[], by the kind of
 * the first call's values) with an element for each call, and which return a row for each call,
 * whose last column is the number of the call from 1. If a batch fails as a whole because of one
 * call, its calls are repeated one by one. */
struct postgres_batch {
    struct postgres_db *db;
    const char *function;
};
void postgres_batch_run(void *batch, struct postgres_member *members);
