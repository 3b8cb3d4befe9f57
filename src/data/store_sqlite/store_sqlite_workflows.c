/* The store in SQLite: workflows of accounts. */
#include "data/store/store_workflows.h"

#include <string.h>

#include "data/store_sqlite/store_sqlite_parts.h"

#define SELECT                                                                                     \
    "SELECT id, account, name, steps, position, version, created_at, updated_at FROM workflows "

static int read_workflow(sqlite3_stmt *stmt, struct store_workflow *out, struct err *err)
{
    *out = (struct store_workflow){
        .key_id = sqlite3_column_int64(stmt, 1),
        .position = sqlite3_column_int64(stmt, 4),
        .version = sqlite3_column_int64(stmt, 5),
        .created_at = sqlite3_column_int64(stmt, 6),
        .updated_at = sqlite3_column_int64(stmt, 7),
    };
    sqlite_db_copy(stmt, 0, out->id, sizeof out->id);
    if (sqlite_db_text(stmt, 2, &out->name) && sqlite_db_text(stmt, 3, &out->steps))
        return 0;
    store_workflow_free(out);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

static int find_workflow(struct sqlite_db *db, const char *id, int64_t account,
                         struct store_workflow *out, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, SELECT "WHERE id = ?1 AND account = ?2", BIND(V(id), V(account)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    return rc == 1 && read_workflow(stmt, out, err) < 0 ? -1 : rc;
}

/* A number that a query returns. */
static int ask_number(struct sqlite_db *db, const char *sql, const struct sqlite_value *values,
                      size_t n, int64_t *out, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(db, sql, values, n, err);

    if (!stmt || sqlite_db_next(stmt, err) < 1)
        return -1;
    *out = sqlite3_column_int64(stmt, 0);
    return 0;
}

/* What one call of the writer changes. */
struct changing {
    struct store_workflow *workflow; /* NULL: it is removed */
    const char *id;
    int64_t account, version; /* version 0: any */
};

/* Refuses a name that another workflow of the account has. */
static int check_name(struct sqlite_db *db, const struct store_workflow *w, struct err *err)
{
    int64_t others;

    if (ask_number(db,
                   "SELECT count(*) FROM workflows WHERE account = ?1 AND name = ?2 AND id <> ?3",
                   BIND(V(w->key_id), V((const char *) w->name), V((const char *) w->id)), &others,
                   err) < 0)
        return -1;
    return others ? store_refuse_workflow(ERR_WORKFLOW_EXISTS, err) : 0;
}

static int add_workflow(struct sqlite_db *db, void *arg, struct err *err)
{
    struct store_workflow *w = ((struct changing *) arg)->workflow;
    int64_t n, next;
    int rc;

    if (check_name(db, w, err) < 0 ||
        ask_number(db, "SELECT count(*) FROM workflows WHERE account = ?1", BIND(V(w->key_id)), &n,
                   err) < 0 ||
        ask_number(db, "SELECT coalesce(max(position) + 1, 0) FROM workflows WHERE account = ?1",
                   BIND(V(w->key_id)), &next, err) < 0)
        return -1;
    if (n >= STORE_WORKFLOWS)
        return store_refuse_workflow(ERR_TOO_MANY_WORKFLOWS, err);
    if (w->position < 0)
        w->position = next;
    w->version = 1;
    rc = sqlite_db_run(db,
                       "INSERT INTO workflows(id, account, name, steps, position, version,"
                       " created_at, updated_at) SELECT ?1, id, ?3, ?4, ?5, 1, ?6, ?7"
                       " FROM accounts WHERE id = ?2 AND id > 0",
                       BIND(V((const char *) w->id), V(w->key_id), V((const char *) w->name),
                            V((const char *) w->steps), V(w->position), V(w->created_at),
                            V(w->updated_at)),
                       err);
    if (rc == 0)
        return store_refuse_workflow(ERR_NOT_FOUND, err);
    return rc < 0 ? -1 : 0;
}

/* Finds the workflow that is to be changed, and checks its version. */
static int check_there(struct sqlite_db *db, const struct changing *changing,
                       struct store_workflow *there, struct err *err)
{
    int rc = find_workflow(db, changing->id, changing->account, there, err);

    if (rc < 1)
        return rc < 0 ? -1 : store_refuse_workflow(ERR_WORKFLOW_NOT_FOUND, err);
    if (changing->version && changing->version != there->version)
        return store_refuse_workflow(ERR_WORKFLOW_CHANGED, err);
    return 0;
}

static int replace_workflow(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct changing *changing = arg;
    struct store_workflow *w = changing->workflow;
    AUTO_WORKFLOW struct store_workflow there = { 0 };
    int rc;

    if (check_there(db, changing, &there, err) < 0 || check_name(db, w, err) < 0)
        return -1;
    if (w->position < 0)
        w->position = there.position;
    w->version = there.version + 1;
    w->created_at = there.created_at;
    rc = sqlite_db_run(db,
                       "UPDATE workflows SET name = ?2, steps = ?3, position = ?4, version = ?5,"
                       " updated_at = ?6 WHERE id = ?1",
                       BIND(V((const char *) w->id), V((const char *) w->name),
                            V((const char *) w->steps), V(w->position), V(w->version),
                            V(w->updated_at)),
                       err);
    return rc < 0 ? -1 : 0;
}

static int remove_workflow(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct changing *changing = arg;
    AUTO_WORKFLOW struct store_workflow there = { 0 };

    if (check_there(db, changing, &there, err) < 0)
        return -1;
    return sqlite_db_run(db, "DELETE FROM workflows WHERE id = ?1", BIND(V(changing->id)), err) < 0
               ? -1
               : 0;
}

static int store_sqlite_workflow_add(struct store *store, struct store_workflow *workflow,
                                     struct err *err)
{
    struct changing changing = { .workflow = workflow };

    return sqlite_writer_do(store_sqlite_of(store)->writer, add_workflow, &changing, err);
}

static int store_sqlite_workflow_replace(struct store *store, struct store_workflow *workflow,
                                         int64_t version, struct err *err)
{
    struct changing changing = { workflow, workflow->id, workflow->key_id, version };

    return sqlite_writer_do(store_sqlite_of(store)->writer, replace_workflow, &changing, err);
}

static int store_sqlite_workflow_remove(struct store *store, const char *id, int64_t key_id,
                                        int64_t version, struct err *err)
{
    struct changing changing = { NULL, id, key_id, version };

    return sqlite_writer_do(store_sqlite_of(store)->writer, remove_workflow, &changing, err);
}

static int store_sqlite_workflow_find(struct store *store, const char *id, int64_t key_id,
                                      struct store_workflow *workflow, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    return read.db ? find_workflow(read.db, id, key_id, workflow, err) : -1;
}

static int list_workflows(struct sqlite_db *db, int64_t account, struct store_workflows *out,
                          struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
        db, SELECT "WHERE account = ?1 ORDER BY position, id", BIND(V(account)), err);
    struct store_workflow one;
    int rc = -1;

    while (stmt && (rc = sqlite_db_next(stmt, err)) == 1)
        if (read_workflow(stmt, &one, err) < 0 || store_workflows_add(out, &one, err) < 0)
            return -1;
    return rc;
}

static int store_sqlite_workflow_list(struct store *store, int64_t key_id,
                                      struct store_workflows *workflows, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    *workflows = (struct store_workflows){ 0 };
    return read.db ? list_workflows(read.db, key_id, workflows, err) : -1;
}

const struct store_workflow_ops store_sqlite_workflows = {
    .add = store_sqlite_workflow_add,
    .replace = store_sqlite_workflow_replace,
    .remove = store_sqlite_workflow_remove,
    .find = store_sqlite_workflow_find,
    .list = store_sqlite_workflow_list,
};
