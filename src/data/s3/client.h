/*
 * client: reads and writes objects of one bucket of an S3 server. Calls block; any number of
 * threads may call. Temporary failures (no response, 429, 5xx, an error in a response of 200) are
 * retried a few times, with increasing pauses.
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "data/s3/place.h"

struct s3_client;

/* Makes a client of a place, which is copied. ERR_INVALID_PARAMETER without credentials. */
struct s3_client *s3_client_new(const struct s3_place *place, struct err *err);
void s3_client_free(struct s3_client *client);
/* How far the server's clock was ahead of this machine's at its last response, to a second; 0
 * before. */
int64_t s3_client_ahead_ms(const struct s3_client *client);

/* All keys are relative to the prefix of the place, and consist of letters, digits and ._-/
 * only. Errors: ERR_NOT_FOUND, ERR_UNAVAILABLE (the server cannot be reached, or asks to slow
 * down), ERR_INTERNAL (it refuses: the message contains its reason). */

/* Stores the first n bytes of a file; above S3_PART bytes in parts, which are removed if one
 * fails. */
int s3_put(struct s3_client *client, const char *key, int fd, int64_t n, struct err *err);
#define S3_PART ((int64_t) 64 << 20)
/* Appends the object to a file at its current end. Returns its length, or -1. ERR_INTERNAL, logged
 * (blob_damaged), if the object has more than `most` bytes, of which no more are received, or other
 * bytes than s3_put sent. */
int64_t s3_get(struct s3_client *client, const char *key, int fd, int64_t most, struct err *err);
/* Deletes an object. Returns 0 also if there is none with this key. */
int s3_delete(struct s3_client *client, const char *key, struct err *err);
/* Calls found for each key that begins with `start`. `most`: keys in a response, 1 to 1000. */
int s3_list(struct s3_client *client, const char *start, int most,
            void (*found)(void *arg, const char *key), void *arg, struct err *err);
/* Appends an address that anybody may GET for some seconds; the response has this
 * Content-Disposition. */
int s3_address(struct s3_client *client, const char *key, const char *disposition, int64_t seconds,
               struct buf *out, struct err *err);
