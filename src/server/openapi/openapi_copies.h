/*
 * openapi_copies: the description of the API as it is sent: for each address by which clients reach
 * the server, plain and packed. A copy is made once and then shared by all responses, or a client
 * that reads none of them would fill the memory. There are few: under further addresses clients get
 * the one whose server is "/".
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/err.h"

struct openapi_copy {
    struct buf body;
    char etag[DIGEST_TEXT + 10];
};

struct openapi_copies;

struct openapi_copies *openapi_copies_new(struct err *err);
void openapi_copies_free(struct openapi_copies *copies);
/* The copy of a document (openapi.h) for an address, which lives as long as the copies. NULL
 * without memory. From any thread. */
const struct openapi_copy *openapi_copies_find(struct openapi_copies *copies,
                                               const struct buf *document, const char *base,
                                               bool packed);
