/* memory: the lists of the store in memory, and the lock that guards them. */
#pragma once

#include <pthread.h>

#include "store/store_rules.h"
#include "store/store_uploads.h"

struct record {
    struct job job;
    int64_t month;             /* month of the quota that it was charged to */
    struct buf inputs, result; /* job.in_store says which of the two are kept here */
};

struct count {
    int64_t account, month;
    struct usage usage;
};

struct replay {
    int64_t account, created_at;
    char *key, *fingerprint;
    char job_id[ID_TEXT];
};

struct memory_delivery {
    struct delivery delivery;
    char host[DELIVERY_HOST];
    bool unreachable; /* the last outcome of the host was `unreachable` */
};

/* When an account's deliveries were last claimed: `served` is the number of that claim. */
struct memory_turn {
    int64_t account, served;
};

struct memory_secret {
    int64_t account;
    struct store_secret secret;
};

struct memory {
    struct store store;

    pthread_mutex_t lock; /* guards all members below */
    struct record *jobs;
    struct count *counts;
    struct replay *replays;
    struct key *keys;
    struct memory_delivery *deliveries;
    struct memory_turn *turns;
    struct memory_secret *secrets;
    struct store_upload *uploads;
    size_t n_jobs, n_counts, n_replays, n_keys, n_deliveries, n_turns, n_secrets, n_uploads;
    int64_t n_accounts;         /* accounts have the ids 1 to n_accounts */
    struct store_share *shares; /* of account 1, 2, ... */
    int64_t clock;              /* common clock of fair queueing (store_charge) */
    int64_t turn;               /* number of the last claim of deliveries, for memory_turn.served */
};

/* Locks the store until the calling function returns. */
static inline struct memory *memory_enter(struct store *store)
{
    struct memory *m = (struct memory *) store;

    pthread_mutex_lock(&m->lock);
    return m;
}

static inline void memory_leave(struct memory **m)
{
    pthread_mutex_unlock(&(*m)->lock);
}
#define LOCKED __attribute__((cleanup(memory_leave))) struct memory

/* Returns the list with room for one more item; NULL without memory, and the list is unchanged. */
void *memory_room(void *list, size_t n, size_t size, struct err *err);
/* Copies a text, or NULL. False without memory. */
bool memory_copy_text(char **to, const char *from);
/* Finds a job by its id; NULL if there is none. */
struct record *memory_find(struct memory *m, const char *id);
/* Changes the state of a job. Fails if job_may_move does not allow it. */
int memory_move(struct record *r, enum job_state to, struct err *err);
/* Frees a job and removes it from the list. */
void memory_drop(struct memory *m, struct record *r);
/* Frees the files that are kept with the job. */
void memory_drop_files(struct record *r);
/* The account's usage of the month; an empty one is made if there is none yet. */
struct count *memory_count(struct memory *m, int64_t account, int64_t month, struct err *err);
/* Gives back the quota that the job was charged. */
void memory_refund(struct memory *m, const struct record *r);

/* Begins the delivery of a job that has just ended and has a callback_url; does nothing for
 * others. */
int store_memory_delivery_begin(struct memory *m, const struct job *job, struct err *err);
/* Drops the deliveries of a job that is removed. */
void memory_delivery_drop(struct memory *m, const char *job_id);
