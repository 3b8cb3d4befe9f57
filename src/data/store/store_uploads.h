/*
 * store_uploads: files that clients upload in pieces and may use for several jobs. Their bytes are
 * blobs (server/dispatch/upload_files.h). A separate part of the store's interface; the promises of
 * store.h hold here, too.
 */
#pragma once

#include "data/store/store.h"

#define STORE_UPLOAD_PIECES 2000 /* limit of the pieces of one upload */
#define STORE_UPLOAD_KIND   16   /* room for the name of a kind with its NUL */

struct store_upload {
    char id[ID_TEXT];
    int64_t key_id; /* the account */
    int64_t size;   /* bytes of the whole file, at least 1; at most, while a ticket waits for it */
    int64_t offset; /* bytes that have arrived, from the beginning */
    int64_t created_at, expires_at;
    char *name; /* of the file, sanitised */
    /* Where each piece ends, "4194304,8388608,". While a ticket waits for the file: how long that
     * will be kept, in milliseconds. Complete: what ends the name of its blob, "" without a ticket.
     */
    char *pieces;
    bool complete;
    /* As in declare/value/file_kind.h; "": unknown, or not complete; or STORE_UPLOAD_TICKET. */
    char kind[STORE_UPLOAD_KIND];
};

/* The kind of an upload whose file has not yet come, and will come as a whole to the address of a
 * ticket (server/api/tickets.h). */
#define STORE_UPLOAD_TICKET "ticket"

/* Frees the texts. */
void store_upload_free(struct store_upload *upload);
#define AUTO_UPLOAD __attribute__((cleanup(store_upload_free)))

struct store_uploads {
    struct store_upload *list;
    size_t n;
};
void store_uploads_free(struct store_uploads *uploads);
#define AUTO_UPLOADS __attribute__((cleanup(store_uploads_free)))

/* Limits of one account at a time. */
struct store_upload_terms {
    int64_t max_uploads, max_bytes; /* of the whole files, however much has arrived */
};

struct store_upload_ops {
    int (*put)(struct store *store, const struct store_upload *upload,
               const struct store_upload_terms *terms, struct err *err);
    int (*find)(struct store *store, const char *id, struct store_upload *upload, struct err *err);
    int (*advance)(struct store *store, const struct store_upload *upload, int64_t from,
                   struct err *err);
    int (*remove)(struct store *store, const char *id, int64_t key_id, struct store_upload *upload,
                  struct err *err);
    int (*expire)(struct store *store, int64_t now, size_t limit, struct store_uploads *uploads,
                  struct err *err);
    int (*list)(struct store *store, int64_t key_id, size_t limit, struct store_uploads *uploads,
                struct err *err);
};

/* Adds an upload. ERR_TOO_MANY_UPLOADS if the account would then exceed the terms, ERR_NOT_FOUND
 * if there is no such account. */
int store_upload_put(struct store *store, const struct store_upload *upload,
                     const struct store_upload_terms *terms, struct err *err);
/* Finds an upload by its id. 1: *upload is filled, the caller frees it; 0: there is none. */
int store_upload_find(struct store *store, const char *id, struct store_upload *upload,
                      struct err *err);
/* Stores all but id, account and created_at of an upload that had `from` bytes until now. 1: done,
 * or done before; 0: it has another number of bytes, or is gone. */
int store_upload_advance(struct store *store, const struct store_upload *upload, int64_t from,
                         struct err *err);
/* Erases an account's upload and returns it, so that its blobs can be removed. 1: done; 0: there
 * is none. */
int store_upload_remove(struct store *store, const char *id, int64_t key_id,
                        struct store_upload *upload, struct err *err);
/* Erases up to `limit` uploads whose expires_at has passed (<= now) and returns them. */
int store_upload_expire(struct store *store, int64_t now, size_t limit,
                        struct store_uploads *uploads, struct err *err);
/* Up to `limit` uploads of an account, in any order. */
int store_upload_list(struct store *store, int64_t key_id, size_t limit,
                      struct store_uploads *uploads, struct err *err);

/* The implementations. */
extern const struct store_upload_ops store_sqlite_uploads, store_postgres_uploads;
/* Sets ERR_TOO_MANY_UPLOADS, and returns -1. */
int store_refuse_uploads(struct err *err);
