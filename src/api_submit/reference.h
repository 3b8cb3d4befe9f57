/*
 * reference: an earlier result as a file of a new request: "job:{jobId}" is what the job gave, all
 * of it; "job:{jobId}/{name}" is one of several outputs, by its name or its number counted from 1.
 * "upload:{uploadId}" is a file that was sent before (api/uploads.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "blob/blob.h"
#include "store/store.h"

#define REFERENCE_BYTES 400 /* of the longest text */

struct reference {
    int64_t offset, bytes;
    char name[256];
};

struct references {
    int fd; /* keeps the bytes of all of them, whatever becomes of the job */
    struct reference *list;
    size_t n;
    bool charged; /* its bytes count as if they had been sent with the request */
};

/* Whether a part without a file name says so. */
bool reference_is(const void *text, size_t n);
/*
 * Opens what the text names. ERR_INVALID_PARAMETER, ERR_JOB_NOT_FOUND (also for another key's job),
 * ERR_JOB_NOT_COMPLETED, ERR_JOB_EXPIRED, ERR_NOT_FOUND (no output of that name),
 * ERR_TOO_MANY_FILES (more than `max`); each with the field. *out needs no preparation.
 */
int references_open(struct store *store, struct blob_store *blobs, int64_t key_id, const char *text,
                    const char *field, size_t max, struct references *out, struct err *err);
void references_close(struct references *references);
/* ERR_STORAGE_FULL if after `bytes` more, 0 for none, less than `min_free` bytes were left. */
int reference_room(struct blob_store *blobs, int64_t bytes, int64_t min_free, struct err *err);
/* A staged file (*fd, the caller's, at an error too unless -1) of the bytes that `source` has at
 * `offset`. */
int reference_fetch(struct blob_store *blobs, int source, int64_t offset, int64_t bytes, int *fd,
                    struct err *err);
