/*
 * address_fetch: a file that becomes an upload, from its address: what remote_fields.h is for jobs,
 * while the client waits. A platen-webhook fetches it, under the same guard.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "server/api_call/api.h"
#include "server/api_call/call.h"

struct address_file {
    int fd; /* a staging file */
    int64_t bytes;
    char name[256]; /* at the address, sanitised */
};

/* Whether the JSON that begins an upload names an address. */
bool address_fetch_is_asked(const json_t *form);
/* Counts a file that is to be fetched for an account. ERR_TOO_MANY_UPLOADS, ERR_OVERLOADED. */
int address_fetch_begin(int64_t account, struct err *err);
void address_fetch_end(int64_t account);
/*
 * Fetches the file of the members fileUrl, fileHeaders (an object) and fileDigest; the caller
 * closes it. Blocks for up to six times fetch_timeout, or until the server drains. `max_bytes`: its
 * limit. Fails with the errors of remote_fields_read; ERR_INVALID_FILE_URL, also if it cannot be
 * had; ERR_INVALID_FILE_DIGEST; ERR_FILE_TOO_LARGE.
 */
int address_fetch(struct api *api, const struct call *call, const json_t *form, int64_t max_bytes,
                  struct address_file *file, struct err *err);
