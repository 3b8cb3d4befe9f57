/*
 * openapi_older: rewrites the document for OpenAPI 3.0 (its specification 3.0.3), which more
 * generators of clients read. It says the same, with two exceptions: a file is nothing but a binary
 * string, whose description names the texts that may stand for it, and that one of several
 * parameters must be given is said by their descriptions only.
 */
#pragma once

#include <jansson.h>

/* Changes the document in place. */
void openapi_older(json_t *document);
