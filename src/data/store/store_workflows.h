/*
 * store_workflows: the workflows of accounts: lists of steps for the tool pipeline, each under a
 * name. They hold no secret. A separate part of the store's interface; the promises of store.h hold
 * here, too. They are erased with their account.
 */
#pragma once

#include "data/store/store.h"

#define STORE_WORKFLOWS 100 /* limit of the workflows of one account */

struct store_workflow {
    char id[ID_TEXT];
    char *name, *steps;             /* steps: JSON */
    int64_t key_id;                 /* of the account */
    int64_t position;               /* lists have the lowest first, and equal ones by their ids */
    int64_t version;                /* 1 when it is added; one more with each change */
    int64_t created_at, updated_at; /* Unix ms */
};

struct store_workflows {
    struct store_workflow *list;
    size_t n;
};
void store_workflow_free(struct store_workflow *workflow);
#define AUTO_WORKFLOW __attribute__((cleanup(store_workflow_free)))
void store_workflows_free(struct store_workflows *workflows);
#define AUTO_WORKFLOWS __attribute__((cleanup(store_workflows_free)))

struct store_workflow_ops {
    int (*add)(struct store *store, struct store_workflow *workflow, struct err *err);
    int (*replace)(struct store *store, struct store_workflow *workflow, int64_t version,
                   struct err *err);
    int (*remove)(struct store *store, const char *id, int64_t key_id, int64_t version,
                  struct err *err);
    int (*find)(struct store *store, const char *id, int64_t key_id,
                struct store_workflow *workflow, struct err *err);
    int (*list)(struct store *store, int64_t key_id, struct store_workflows *workflows,
                struct err *err);
};

/*
 * Adds a workflow of version 1. A position below 0 becomes one more than the highest of the
 * account. Sets `position` and `version`. ERR_WORKFLOW_EXISTS if another one of the account has the
 * name, ERR_TOO_MANY_WORKFLOWS, ERR_NOT_FOUND if there is no such account.
 */
int store_workflow_add(struct store *store, struct store_workflow *workflow, struct err *err);
/*
 * Replaces the name, the steps, the position (below 0: it stays) and updated_at of an account's
 * workflow, and sets `version`, `position` and `created_at` to what it has then.
 * ERR_WORKFLOW_NOT_FOUND; ERR_WORKFLOW_CHANGED if it is not of the given version (0: of any);
 * ERR_WORKFLOW_EXISTS.
 */
int store_workflow_replace(struct store *store, struct store_workflow *workflow, int64_t version,
                           struct err *err);
/* Erases an account's workflow. ERR_WORKFLOW_NOT_FOUND, ERR_WORKFLOW_CHANGED. */
int store_workflow_remove(struct store *store, const char *id, int64_t key_id, int64_t version,
                          struct err *err);
/* Finds an account's workflow: 0, or -1 with ERR_WORKFLOW_NOT_FOUND. */
int store_workflow_find(struct store *store, const char *id, int64_t key_id,
                        struct store_workflow *workflow, struct err *err);
/* All of an account, in their order. */
int store_workflow_list(struct store *store, int64_t key_id, struct store_workflows *workflows,
                        struct err *err);

/* The implementations. */
extern const struct store_workflow_ops store_sqlite_workflows, store_postgres_workflows;
/* Appends a workflow and takes ownership of its texts, also on failure. */
int store_workflows_add(struct store_workflows *workflows, struct store_workflow *workflow,
                        struct err *err);
/* Set the error that the name says, and return -1. */
int store_refuse_workflow(enum err_code code, struct err *err);
