/*
 * blob: stores the files of jobs. A blob belongs to one job and is named by it ("in.0", "out.1",
 * "secret"), so no client's name reaches the file system and an orphan is recognised by its name.
 *
 * A blob is written to a staging file without a name, which vanishes with its last descriptor, then
 * published: after blob_publish returns 0 it is complete, named and on disk (fsync of file and
 * folder). Functions may be called from any thread. ERR_STORAGE_FULL when the disk is full.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/metric.h"

struct blob_store;

#define BLOB_NAME 32 /* room for a blob's name and its NUL */

struct blob_item {
    int fd; /* a staging file, or one in memory, which is copied; the caller closes it */
    char name[BLOB_NAME];
};

struct blob_store_ops {
    void (*close)(struct blob_store *store);
    int (*stage)(struct blob_store *store, struct err *err);
    int (*publish)(struct blob_store *store, const char *job_id, const struct blob_item *items,
                   size_t n, struct err *err);
    int (*open)(struct blob_store *store, const char *job_id, const char *name, int64_t most,
                int64_t *bytes, struct err *err);
    void (*remove)(struct blob_store *store, const char *job_id, const char *name);
    int (*each)(struct blob_store *store,
                void (*found)(void *arg, const char *job_id, const char *name), void *arg,
                struct err *err);
    int (*room)(struct blob_store *store, int64_t *free_bytes, int64_t *size, struct err *err);
    /* Only for a remote store. */
    int (*address)(struct blob_store *store, const char *job_id, const char *name,
                   const char *disposition, int64_t seconds, struct buf *out, struct err *err);
};

struct blob_store {
    const struct blob_store_ops *ops;
    bool far; /* blobs are opened and published over a network, which may take seconds */
};

/* Opens a local folder, which is made if it is missing (mode 0700). NULL on failure. */
struct blob_store *blob_fs_open(const char *folder, struct err *err);

static inline void blob_close(struct blob_store *store)
{
    if (store)
        store->ops->close(store);
}

/* Opens a new staging file for reading and writing; the caller closes it. -1 on failure. */
static inline int blob_stage(struct blob_store *store, struct err *err)
{
    return store->ops->stage(store, err);
}

/* Appends to a file that has `bytes` bytes already and begins as a file in memory
 * (fdio_memory_file): when it exceeds `small` bytes, *fd becomes a staging file. */
int blob_append(struct blob_store *store, int *fd, int64_t bytes, const void *data, size_t n,
                size_t small, struct err *err);

/* Publishes staging files as blobs of a job: all or none. An existing blob of that name is an
 * error: names are never used twice. */
static inline int blob_publish(struct blob_store *store, const char *job_id,
                               const struct blob_item *items, size_t n, struct err *err)
{
    int64_t began = clock_mono_us();
    int done = store->ops->publish(store, job_id, items, n, err);

    metric_observe(METRIC_BLOB_SECONDS, NULL, (double) (clock_mono_us() - began) / 1e6);
    return done;
}

/* Opens a blob for reading; the caller closes it. ERR_NOT_FOUND if there is none. ERR_INTERNAL if
 * it has more than `most` bytes, of which a remote store fetches no more than that, or other bytes
 * than were written: it is damaged, which is logged. */
static inline int blob_open(struct blob_store *store, const char *job_id, const char *name,
                            int64_t most, int64_t *bytes, struct err *err)
{
    return store->ops->open(store, job_id, name, most, bytes, err);
}

/* For the stores: logs that a blob is damaged, and returns -1 with ERR_INTERNAL. `blob`: its path
 * or key; `what` continues "the stored file". */
int blob_damaged(const char *blob, const char *what, struct err *err);

/* Appends an address at which anybody can fetch a blob for some seconds, with this
 * Content-Disposition. Only for a remote store; it is not checked whether the blob exists. */
static inline int blob_address(struct blob_store *store, const char *job_id, const char *name,
                               const char *disposition, int64_t seconds, struct buf *out,
                               struct err *err)
{
    return store->ops->address(store, job_id, name, disposition, seconds, out, err);
}

/* Removes a blob; a missing one is not an error. Need not survive a power cut: the janitor finds
 * orphans. */
static inline void blob_remove(struct blob_store *store, const char *job_id, const char *name)
{
    store->ops->remove(store, job_id, name);
}

/* Calls found for every blob; found may remove the blob that it is called with. */
static inline int blob_each(struct blob_store *store,
                            void (*found)(void *arg, const char *job_id, const char *name),
                            void *arg, struct err *err)
{
    return store->ops->each(store, found, arg, err);
}

/* The bytes that can still be stored, 0 on a read-only disk; and the size of the disk, if `size`
 * is not NULL. */
static inline int blob_room(struct blob_store *store, int64_t *free_bytes, int64_t *size,
                            struct err *err)
{
    return store->ops->room(store, free_bytes, size, err);
}
