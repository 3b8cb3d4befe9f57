/*
 * metadata: credentials that a cloud gives to a machine or a container, and that change every few
 * hours.
 *
 * For a container: the address in AWS_CONTAINER_CREDENTIALS_FULL_URI, or the path in
 * AWS_CONTAINER_CREDENTIALS_RELATIVE_URI at 169.254.170.2, with the token in
 * AWS_CONTAINER_AUTHORIZATION_TOKEN or in the file that AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE
 * names. Else for a machine (EC2, version 2 of the instance metadata service): at
 * AWS_EC2_METADATA_SERVICE_ENDPOINT, or at http://169.254.169.254; not if AWS_EC2_METADATA_DISABLED
 * is "true".
 */
#pragma once

#include "base/err.h"
#include "data/s3/sign.h"

/*
 * Copies the cached credentials, and renews them from five minutes before they expire. While they
 * are valid, one caller renews them and the others do not wait; if the service does not respond,
 * they are used until they expire. ERR_INVALID_PARAMETER if there is no such service or it has no
 * credentials, ERR_UNAVAILABLE if it had some and does not respond now. Any number of threads may
 * call.
 */
int s3_metadata_credentials(struct s3_credentials *credentials, struct err *err);

/* Parses the response of either service, a JSON object; *ends_at in Unix ms. 0, or -1 if it is
 * not one. */
int s3_metadata_parse(const char *text, size_t n, struct s3_credentials *credentials,
                      int64_t *ends_at);
