/* store_contract: every sentence of data/store/store.h as a test, for any implementation of it. */
#pragma once

#include "data/store/store.h"

/* Runs all; `fresh` opens an empty store, or NULL. */
void store_contract(struct store *(*fresh)(struct err *err));

/* The parts, one file each. */
void store_contract_put(void);
void store_contract_lease(void);
void store_contract_gone(void);
void store_contract_files(void);
void store_contract_keys(void);
void store_contract_hooks(void);
void store_contract_race(void);
void store_contract_sessions(void);
void store_contract_shipments(void);
void store_contract_turns(void);
void store_contract_uploads(void);
void store_contract_workflows(void);

/* What the parts share. */

#define NOW   1800000000000LL /* 2027-01-15T08:00:00Z */
#define MONTH 1798761600000LL
#define NEXT  1801440000000LL /* the month after */
#define LEASE 30000LL

/* An empty store; ends the test program if there is none to be had. */
struct store *contract_open(void);
static inline void contract_close(struct store **store)
{
    store_close(*store);
}
#define STORE __attribute__((cleanup(contract_close))) struct store

/* The id of a new account with one key. */
int64_t contract_account(struct store *store);
/* A job to put: new id, 100 bytes, one input; its texts are borrowed. */
struct job contract_job(int64_t account);
/* Terms that refuse nothing. */
struct store_terms contract_terms(void);
/* Puts a new job under such terms; its id. */
const char *contract_put(struct store *store, int64_t account, char id[static ID_TEXT]);
/* The code store_put refuses with, or -1 if it does not. The error is kept. */
int contract_refusal(struct store *store, const struct job *job, const struct store_terms *terms,
                     struct err *err);
/* Claims at NOW and says which attempt it is; 0 if there was nothing. */
int32_t contract_claim(struct store *store, char id[static ID_TEXT]);
/* Ends of both kinds at NOW + 1000, expiring at NOW + 5000. */
struct store_end contract_completed(void);
struct store_end contract_failed(enum err_code code);
/* The state of a job, or -1 if there is none. */
int contract_state(struct store *store, const char *id);
struct usage contract_usage(struct store *store, int64_t account, int64_t month);
/* "pending/running" */
const char *contract_depth(struct store *store);
