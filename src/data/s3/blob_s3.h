/* blob_s3: blobs as objects of an S3 server, <prefix>ab/<job id>.<name> (data/blob/blob_place.h).
 * Staging files and fetched blobs are in a folder of this machine. */
#pragma once

#include "data/blob/blob.h"

/* Opens the blobs at an address (s3_place_read); `scratch` is made if it is missing. Sends one
 * request, so that a wrong address or credential is reported at once. */
struct blob_store *blob_s3_open(const char *address, const char *scratch, struct err *err);
/* Checks that objects of the bucket can be listed, written and deleted, with an object that it
 * makes and deletes. *ahead_ms: how far the server's clock is ahead of this machine's, to a second.
 */
int blob_s3_examine(const char *address, int64_t *ahead_ms, struct err *err);
