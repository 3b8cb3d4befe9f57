/*
 * reference: an earlier result as a file of a new request: "job:{jobId}" means all outputs of a
 * job; "job:{jobId}/{name}" one of them, by its name or its number counted from 1.
 * "upload:{uploadId}" is a file that was uploaded before (server/api/uploads.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "data/blob/blob.h"
#include "data/store/store.h"

#define REFERENCE_BYTES 400 /* limit of the text's length */

struct reference {
    int64_t offset, bytes; /* the range of the file in references.fd */
    char name[256];        /* of the file */
};

struct references {
    /* has the bytes of all of them, even if the job is deleted; -1: still to be fetched */
    int fd;
    struct reference *list;
    size_t n;
    bool charged; /* its bytes are charged as if they had been uploaded with the request */
};

/* A reference whose bytes are still to be fetched over the network. */
struct reference_later {
    char text[REFERENCE_BYTES], field[64];
};

/* Whether the text of a part without a file name is a reference. */
bool reference_is(const void *text, size_t n);
/*
 * Opens what the text refers to. ERR_INVALID_PARAMETER, ERR_JOB_NOT_FOUND (also for another
 * account's job), ERR_JOB_NOT_COMPLETED, ERR_JOB_EXPIRED, ERR_NOT_FOUND (no output with that name),
 * ERR_TOO_MANY_FILES (more than `max`); each with the field. *out needs no preparation.
 */
int reference_list_open(struct store *store, struct blob_store *blobs, int64_t key_id,
                        const char *text, const char *field, size_t max, struct references *out,
                        struct err *err);
/* The same, but what would have to be fetched over a network is only looked up: fd is -1 then. For
 * threads that serve connections. */
int reference_find(struct store *store, struct blob_store *blobs, int64_t key_id, const char *text,
                   const char *field, size_t max, struct references *out, struct err *err);
void reference_list_close(struct references *references);
/* A copy of both texts, which the caller frees. NULL on failure. */
struct reference_later *reference_later_new(const char *text, const char *field, struct err *err);
/* Fails with ERR_STORAGE_FULL if less than `min_free` bytes would be left after storing `bytes`,
 * which may be 0. */
int reference_room(struct blob_store *blobs, int64_t bytes, int64_t min_free, struct err *err);
/* Makes a staging file with the bytes of `source` at `offset`. The caller owns *fd, also after
 * an error unless it is -1. */
int reference_fetch(struct blob_store *blobs, int source, int64_t offset, int64_t bytes, int *fd,
                    struct err *err);
