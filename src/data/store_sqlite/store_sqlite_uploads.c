/* The store in SQLite: files that clients send in pieces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/store/store_uploads.h"
#include "data/store_sqlite/store_sqlite_parts.h"

#define COLUMNS                                                                                    \
    "id, account, size, offset, created_at, expires_at, name, pieces, complete, kind, row"

static int read_row(sqlite3_stmt *stmt, struct store_upload *upload, struct err *err)
{
    *upload = (struct store_upload){
        .key_id = sqlite3_column_int64(stmt, 1),
        .size = sqlite3_column_int64(stmt, 2),
        .offset = sqlite3_column_int64(stmt, 3),
        .created_at = sqlite3_column_int64(stmt, 4),
        .expires_at = sqlite3_column_int64(stmt, 5),
        .name = strdup((const char *) sqlite3_column_text(stmt, 6)),
        .pieces = strdup((const char *) sqlite3_column_text(stmt, 7)),
        .complete = sqlite3_column_int(stmt, 8),
    };
    snprintf(upload->id, sizeof upload->id, "%s", (const char *) sqlite3_column_text(stmt, 0));
    snprintf(upload->kind, sizeof upload->kind, "%s", (const char *) sqlite3_column_text(stmt, 9));
    if (upload->name && upload->pieces)
        return 0;
    store_upload_free(upload);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

struct putting {
    const struct store_upload *upload;
    const struct store_upload_terms *terms;
};

static int put_row(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct putting *putting = arg;
    const struct store_upload *u = putting->upload;
    int64_t n = 0, bytes = 0;
    int rc;

    {
        AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
            db, "SELECT count(*), coalesce(sum(size), 0) FROM uploads WHERE account = ?1",
            BIND(V(u->key_id)), err);

        if (!stmt || sqlite_db_next(stmt, err) < 0)
            return -1;
        n = sqlite3_column_int64(stmt, 0);
        bytes = sqlite3_column_int64(stmt, 1);
    }
    if (n >= putting->terms->max_uploads || bytes + u->size > putting->terms->max_bytes)
        return store_refuse_uploads(err);
    rc = sqlite_db_run(db,
                       "INSERT INTO uploads(id, account, size, offset, created_at, expires_at,"
                       " name, pieces, complete, kind)"
                       " SELECT ?1, id, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM accounts"
                       " WHERE id = ?2 AND id > 0",
                       BIND(V((const char *) u->id), V(u->key_id), V(u->size), V(u->offset),
                            V(u->created_at), V(u->expires_at), V(u->name), V(u->pieces),
                            V((int64_t) u->complete), V((const char *) u->kind)),
                       err);
    if (rc == 0)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    return rc < 0 ? -1 : 0;
}

static int put_upload(struct store *store, const struct store_upload *upload,
                      const struct store_upload_terms *terms, struct err *err)
{
    struct putting putting = { upload, terms };

    return sqlite_writer_do(store_sqlite_of(store)->writer, put_row, &putting, err);
}

static int find_row(struct sqlite_db *db, const char *id, struct store_upload *upload,
                    struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, "SELECT " COLUMNS " FROM uploads WHERE id = ?1", BIND(V(id)), err);
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    return rc == 1 && read_row(stmt, upload, err) < 0 ? -1 : rc;
}

static int find_upload(struct store *store, const char *id, struct store_upload *upload,
                       struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    return read.db ? find_row(read.db, id, upload, err) : -1;
}

struct advancing {
    const struct store_upload *upload;
    int64_t from;
    int changed;
};

static int advance_row(struct sqlite_db *db, void *arg, struct err *err)
{
    struct advancing *advancing = arg;
    const struct store_upload *u = advancing->upload;

    advancing->changed = sqlite_db_run(
        db,
        "UPDATE uploads SET offset = ?2, expires_at = ?3, pieces = ?4, complete = ?5, kind = ?6,"
        " size = ?8, name = ?9"
        " WHERE id = ?1 AND (offset = ?7 OR (offset = ?2 AND pieces = ?4))",
        BIND(V((const char *) u->id), V(u->offset), V(u->expires_at), V(u->pieces),
             V((int64_t) u->complete), V((const char *) u->kind), V(advancing->from), V(u->size),
             V(u->name)),
        err);
    return advancing->changed < 0 ? -1 : 0;
}

static int advance(struct store *store, const struct store_upload *upload, int64_t from,
                   struct err *err)
{
    struct advancing advancing = { upload, from, 0 };

    if (sqlite_writer_do(store_sqlite_of(store)->writer, advance_row, &advancing, err) < 0)
        return -1;
    return advancing.changed > 0;
}

struct removing {
    const char *id;
    int64_t key_id;
    struct store_upload *upload;
    int found;
};

static int remove_row(struct sqlite_db *db, void *arg, struct err *err)
{
    struct removing *removing = arg;

    removing->found = find_row(db, removing->id, removing->upload, err);
    if (removing->found == 1 && removing->upload->key_id != removing->key_id) {
        store_upload_free(removing->upload);
        removing->found = 0;
    }
    if (removing->found < 1)
        return removing->found;
    if (sqlite_db_run(db, "DELETE FROM uploads WHERE id = ?1", BIND(V(removing->id)), err) >= 0)
        return 0;
    store_upload_free(removing->upload);
    return -1;
}

static int remove_upload(struct store *store, const char *id, int64_t key_id,
                         struct store_upload *upload, struct err *err)
{
    struct removing removing = { id, key_id, upload, 0 };

    *upload = (struct store_upload){ 0 };
    if (sqlite_writer_do(store_sqlite_of(store)->writer, remove_row, &removing, err) < 0) {
        store_upload_free(upload); /* when the commit failed */
        return -1;
    }
    return removing.found;
}

/* The rows of a statement, at most as many as there is room for. */
static int read_rows(sqlite3_stmt *stmt, struct store_uploads *uploads, struct err *err)
{
    int rc = stmt ? sqlite_db_next(stmt, err) : -1;

    for (; rc == 1; rc = sqlite_db_next(stmt, err)) {
        if (read_row(stmt, &uploads->list[uploads->n], err) < 0)
            return -1;
        uploads->n++;
    }
    return rc;
}

struct expiring {
    int64_t now;
    size_t limit;
    struct store_uploads *uploads;
};

static int expire_rows(struct sqlite_db *db, void *arg, struct err *err)
{
    const struct expiring *expiring = arg;
    struct store_uploads *uploads = expiring->uploads;
    int rc;

    {
        AUTO_QUERY sqlite3_stmt *stmt = sqlite_db_query(
            db,
            "SELECT " COLUMNS " FROM uploads WHERE expires_at <= ?1 ORDER BY expires_at, row"
            " LIMIT ?2",
            BIND(V(expiring->now), V((int64_t) expiring->limit)), err);

        rc = read_rows(stmt, uploads, err);
    }
    for (size_t i = 0; rc == 0 && i < uploads->n; i++)
        if (sqlite_db_run(db, "DELETE FROM uploads WHERE id = ?1",
                          BIND(V((const char *) uploads->list[i].id)), err) < 0)
            rc = -1;
    return rc;
}

static int expire(struct store *store, int64_t now, size_t limit, struct store_uploads *uploads,
                  struct err *err)
{
    struct expiring expiring = { now, limit, uploads };

    *uploads = (struct store_uploads){ .list = calloc(limit, sizeof *uploads->list) };
    if (!uploads->list)
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (sqlite_writer_do(store_sqlite_of(store)->writer, expire_rows, &expiring, err) == 0)
        return 0;
    store_uploads_free(uploads);
    return -1;
}

static int list_rows(struct sqlite_db *db, int64_t key_id, size_t limit,
                     struct store_uploads *uploads, struct err *err)
{
    AUTO_QUERY sqlite3_stmt *stmt =
        sqlite_db_query(db, "SELECT " COLUMNS " FROM uploads WHERE account = ?1 LIMIT ?2",
                        BIND(V(key_id), V((int64_t) limit)), err);

    return read_rows(stmt, uploads, err);
}

static int list_uploads(struct store *store, int64_t key_id, size_t limit,
                        struct store_uploads *uploads, struct err *err)
{
    AUTO_READ read = sqlite_readers_begin(store_sqlite_of(store)->readers, err);

    *uploads = (struct store_uploads){ 0 };
    if (!read.db)
        return -1;
    if (!(uploads->list = calloc(limit, sizeof *uploads->list)))
        return err_set(err, ERR_INTERNAL, "out of memory");
    if (list_rows(read.db, key_id, limit, uploads, err) == 0)
        return 0;
    store_uploads_free(uploads);
    return -1;
}

const struct store_upload_ops store_sqlite_uploads = { put_upload,    find_upload, advance,
                                                       remove_upload, expire,      list_uploads };
