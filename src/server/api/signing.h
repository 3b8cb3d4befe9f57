/*
 * signing: download addresses that need no key, cannot be forged and expire with their job.
 * {base}/api/v1/files/{job}/{name}?expires=E&signature=S, S = HMAC-SHA-256 of "job/name/E".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define SIGNING_KEY 64 /* room for the key as text with its NUL */

/* Reads the installation's key from a file of mode 0600, which is made on first use. */
int signing_load(const char *path, char key[static SIGNING_KEY], struct err *err);

/* Appends the whole address; `expires` in Unix seconds. */
void signing_url(const char key[static SIGNING_KEY], const char *base_url, const char *job_id,
                 const char *name, int64_t expires, struct buf *out);
/* Checks the parts of an address that a client sent. ERR_INVALID_SIGNATURE, or ERR_JOB_EXPIRED if
 * `now` (Unix seconds) is after `expires`. */
int signing_check(const char key[static SIGNING_KEY], const char *job_id, const char *name,
                  const char *expires, const char *signature, int64_t now, struct err *err);

/* The address of an upload's ticket, which cannot be forged either:
 * {base}/api/v1/tickets/{upload}?expires=E&signature=S. Nothing of S is stored. */
void signing_ticket_url(const char key[static SIGNING_KEY], const char *base_url, const char *id,
                        int64_t expires, struct buf *out);
/* ERR_INVALID_TICKET, or ERR_TICKET_EXPIRED. */
int signing_check_ticket(const char key[static SIGNING_KEY], const char *id, const char *expires,
                         const char *signature, int64_t now, struct err *err);
int signing_ticket_expired(struct err *err);

/* Percent-encodes all but RFC 3986's unreserved characters. */
void signing_encode(const char *text, struct buf *out);
