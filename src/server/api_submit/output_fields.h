/*
 * output_fields: the fields of a submission that say where its result is sent to: outputUrl, an
 * address for all of it; outputUrls, one for each part, as a JSON array or as a field for each;
 * outputHeaders, what is sent to their hosts besides it. It is sent once the job is completed
 * (server/shipment/shipper.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/digest.h"
#include "server/config/config.h"

struct output_fields {
    char **urls; /* in normal form. Secrets */
    size_t n;
    bool parts;    /* they are of outputUrls */
    char *headers; /* lines, separated by line feeds; NULL: none. A secret */
};

/* Whether the field with this name is one of them. */
bool output_fields_has(const char *name);
/* Checks a value and keeps it. `visitor`: the client has no key, and nothing is sent for it.
 * ERR_INVALID_OUTPUT_URL, ERR_INVALID_OUTPUT_HEADERS, ERR_ADDRESSES_REFUSED. */
int output_fields_read(struct output_fields *fields, const struct config *config, bool visitor,
                       const char *name, const char *value, size_t n, struct err *err);
/* Checks what depends on all of them. ERR_INVALID_OUTPUT_HEADERS. */
int output_fields_finish(const struct output_fields *fields, struct err *err);
/* The text of the blob that keeps them (server/dispatch/shipping.h), which the caller frees. NULL
 * with *err set. To be called if there is an address. */
char *output_fields_text(const struct output_fields *fields, struct err *err);
/* Adds them to the digest of the request's content. */
void output_fields_digest(const struct output_fields *fields, struct digest *digest);
void output_fields_free(struct output_fields *fields);
