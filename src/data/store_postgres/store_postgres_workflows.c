/* The store in PostgreSQL: workflows of accounts. */
#include "data/store/store_workflows.h"

#include <stdio.h>

#include "data/store_postgres/store_postgres_parts.h"

#define SELECT                                                                                     \
    "SELECT id, account, name, steps, position, version, created_at, updated_at"                   \
    " FROM platen.workflows "

/* What platen.workflow_put and platen.workflow_remove return instead of a row. */
enum { NO_ACCOUNT = 1, TOO_MANY, EXISTS, NOT_THERE, CHANGED };

static int refuse_verdict(int64_t verdict, struct err *err)
{
    static const enum err_code codes[] = {
        [NO_ACCOUNT] = ERR_NOT_FOUND,     [TOO_MANY] = ERR_TOO_MANY_WORKFLOWS,
        [EXISTS] = ERR_WORKFLOW_EXISTS,   [NOT_THERE] = ERR_WORKFLOW_NOT_FOUND,
        [CHANGED] = ERR_WORKFLOW_CHANGED,
    };

    return store_refuse_workflow(codes[verdict], err);
}

static int read_workflow(const PGresult *r, int row, struct store_workflow *out, struct err *err)
{
    *out = (struct store_workflow){
        .key_id = postgres_integer(r, row, 1),
        .position = postgres_integer(r, row, 4),
        .version = postgres_integer(r, row, 5),
        .created_at = postgres_integer(r, row, 6),
        .updated_at = postgres_integer(r, row, 7),
    };
    snprintf(out->id, sizeof out->id, "%s", postgres_text(r, row, 0));
    if (postgres_copy(r, row, 2, &out->name) && postgres_copy(r, row, 3, &out->steps))
        return 0;
    store_workflow_free(out);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

/* `version` -1: it is added. */
static int put_workflow(struct store *store, struct store_workflow *w, int64_t version,
                        struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         "SELECT verdict, position, version, created_at"
                         " FROM platen.workflow_put($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                         BIND(V((const char *) w->id), V(w->key_id), V((const char *) w->name),
                              V((const char *) w->steps), V(w->position), V(version),
                              V(w->created_at), V(w->updated_at), V(STORE_WORKFLOWS)),
                         err);

    if (!r)
        return -1;
    if (postgres_integer(r, 0, 0))
        return refuse_verdict(postgres_integer(r, 0, 0), err);
    w->position = postgres_integer(r, 0, 1);
    w->version = postgres_integer(r, 0, 2);
    w->created_at = postgres_integer(r, 0, 3);
    return 0;
}

static int store_postgres_workflow_add(struct store *store, struct store_workflow *workflow,
                                       struct err *err)
{
    return put_workflow(store, workflow, -1, err);
}

static int store_postgres_workflow_replace(struct store *store, struct store_workflow *workflow,
                                           int64_t version, struct err *err)
{
    return put_workflow(store, workflow, version, err);
}

static int store_postgres_workflow_remove(struct store *store, const char *id, int64_t key_id,
                                          int64_t version, struct err *err)
{
    int64_t verdict;

    if (postgres_db_number(store_postgres_of(store)->db,
                           "SELECT platen.workflow_remove($1, $2, $3)",
                           BIND(V(id), V(key_id), V(version)), &verdict, err) < 0)
        return -1;
    return verdict ? refuse_verdict(verdict, err) : 0;
}

static int store_postgres_workflow_find(struct store *store, const char *id, int64_t key_id,
                                        struct store_workflow *workflow, struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db, SELECT "WHERE id = $1 AND account = $2",
                         BIND(V(id), V(key_id)), err);

    if (!r || PQntuples(r) == 0)
        return r ? 0 : -1;
    return read_workflow(r, 0, workflow, err) < 0 ? -1 : 1;
}

static int store_postgres_workflow_list(struct store *store, int64_t key_id,
                                        struct store_workflows *workflows, struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         SELECT "WHERE account = $1 ORDER BY position, id", BIND(V(key_id)), err);
    struct store_workflow one;

    *workflows = (struct store_workflows){ 0 };
    for (int i = 0; r && i < PQntuples(r); i++)
        if (read_workflow(r, i, &one, err) < 0 || store_workflows_add(workflows, &one, err) < 0)
            return -1;
    return r ? 0 : -1;
}

const struct store_workflow_ops store_postgres_workflows = {
    .add = store_postgres_workflow_add,
    .replace = store_postgres_workflow_replace,
    .remove = store_postgres_workflow_remove,
    .find = store_postgres_workflow_find,
    .list = store_postgres_workflow_list,
};
