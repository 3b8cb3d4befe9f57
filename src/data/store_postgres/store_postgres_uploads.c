/* The store in PostgreSQL: files that clients send in pieces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/store/store_uploads.h"
#include "data/store_postgres/store_postgres_parts.h"

#define COLUMNS                                                                                    \
    "id, account, size, at, created_at, expires_at, name, pieces, complete::int AS complete, kind"

static int read_row(const PGresult *r, int row, struct store_upload *upload, struct err *err)
{
    *upload = (struct store_upload){
        .key_id = postgres_integer(r, row, 1),
        .size = postgres_integer(r, row, 2),
        .offset = postgres_integer(r, row, 3),
        .created_at = postgres_integer(r, row, 4),
        .expires_at = postgres_integer(r, row, 5),
        .complete = postgres_integer(r, row, 8) != 0,
    };
    snprintf(upload->id, sizeof upload->id, "%s", postgres_text(r, row, 0));
    snprintf(upload->kind, sizeof upload->kind, "%s", postgres_text(r, row, 9));
    if (postgres_copy(r, row, 6, &upload->name) && postgres_copy(r, row, 7, &upload->pieces))
        return 0;
    store_upload_free(upload);
    return err_set(err, ERR_INTERNAL, "out of memory");
}

static int put_upload(struct store *store, const struct store_upload *u,
                      const struct store_upload_terms *terms, struct err *err)
{
    int64_t done;

    if (postgres_db_number(
            store_postgres_of(store)->db,
            "SELECT platen.upload_put($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            BIND(V((const char *) u->id), V(u->key_id), V(u->size), V(u->offset), V(u->created_at),
                 V(u->expires_at), V((const char *) u->name), V((const char *) u->pieces),
                 V((int64_t) u->complete), V((const char *) u->kind), V(terms->max_uploads),
                 V(terms->max_bytes)),
            &done, err) < 0)
        return -1;
    if (done == 2)
        return err_set(err, ERR_NOT_FOUND, "there is no such account");
    return done ? 0 : store_refuse_uploads(err);
}

/* 1: *upload is the first row; 0: there is none; -1: failed. */
static int first(const PGresult *r, struct store_upload *upload, struct err *err)
{
    if (!r)
        return -1;
    if (PQntuples(r) == 0)
        return 0;
    return read_row(r, 0, upload, err) < 0 ? -1 : 1;
}

static int find_upload(struct store *store, const char *id, struct store_upload *upload,
                       struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         "SELECT " COLUMNS " FROM platen.uploads WHERE id = $1", BIND(V(id)), err);

    return first(r, upload, err);
}

static int advance(struct store *store, const struct store_upload *u, int64_t from, struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db,
        "UPDATE platen.uploads SET at = $2::bigint, expires_at = $3, pieces = $4,"
        " complete = $5::int <> 0, kind = $6, size = $8::bigint, name = $9 WHERE id = $1"
        " AND (at = $7::bigint OR (at = $2 AND pieces = $4)) RETURNING 1",
        BIND(V((const char *) u->id), V(u->offset), V(u->expires_at), V((const char *) u->pieces),
             V((int64_t) u->complete), V((const char *) u->kind), V(from), V(u->size),
             V((const char *) u->name)),
        err);

    return r ? PQntuples(r) > 0 : -1;
}

/* Sent twice, because the answer was lost, it finds nothing: its blobs are then left to the
 * janitor's search for orphans. */
static int remove_upload(struct store *store, const char *id, int64_t key_id,
                         struct store_upload *upload, struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db,
        "DELETE FROM platen.uploads WHERE id = $1 AND account = $2 RETURNING " COLUMNS,
        BIND(V(id), V(key_id)), err);

    return first(r, upload, err);
}

/* All rows of a result. */
static int all(const PGresult *r, struct store_uploads *uploads, struct err *err)
{
    int n = r ? PQntuples(r) : 0;

    *uploads = (struct store_uploads){ 0 };
    if (!r)
        return -1;
    if (n > 0 && !(uploads->list = calloc((size_t) n, sizeof *uploads->list)))
        return err_set(err, ERR_INTERNAL, "out of memory");
    for (; uploads->n < (size_t) n; uploads->n++) {
        if (read_row(r, (int) uploads->n, &uploads->list[uploads->n], err) < 0) {
            store_uploads_free(uploads);
            return -1;
        }
    }
    return 0;
}

static int expire(struct store *store, int64_t now, size_t limit, struct store_uploads *uploads,
                  struct err *err)
{
    AUTO_RESULT PGresult *r = postgres_db_call(
        store_postgres_of(store)->db,
        "DELETE FROM platen.uploads WHERE id IN (SELECT id FROM platen.uploads"
        " WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)"
        " RETURNING " COLUMNS,
        BIND(V(now), V((int64_t) limit)), err);

    return all(r, uploads, err);
}

static int list_uploads(struct store *store, int64_t key_id, size_t limit,
                        struct store_uploads *uploads, struct err *err)
{
    AUTO_RESULT PGresult *r =
        postgres_db_call(store_postgres_of(store)->db,
                         "SELECT " COLUMNS " FROM platen.uploads WHERE account = $1 LIMIT $2",
                         BIND(V(key_id), V((int64_t) limit)), err);

    return all(r, uploads, err);
}

const struct store_upload_ops store_postgres_uploads = { put_upload,    find_upload, advance,
                                                         remove_upload, expire,      list_uploads };
