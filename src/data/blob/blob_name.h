/* blob_name: the names of a job's blobs, in one place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/blob/blob.h"

/* The values of the secret parameters, as a JSON object. */
#define BLOB_NAME_SECRETS "secret"
/* The addresses that the result is sent to (server/dispatch/shipping.h). */
#define BLOB_NAME_ADDRESSES "send"

/* The name of input i, counted from 0: "in.<i>". Inputs are the documents, then the files of
 * parameters. */
void blob_name_input(size_t i, char out[static BLOB_NAME]);
/* The name of an attempt's result: "out.<attempt>". */
void blob_name_result(int32_t attempt, char out[static BLOB_NAME]);
/* Whether a name is that of a result. */
bool blob_name_is_result(const char *name);
