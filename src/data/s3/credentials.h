/* credentials: finds the credentials for an S3 server where Amazon's own tools do. */
#pragma once

#include "base/err.h"
#include "data/s3/sign.h"

/*
 * Uses the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN); else the file
 * that AWS_SHARED_CREDENTIALS_FILE names (default: ~/.aws/credentials), in the section that
 * AWS_PROFILE names ("default"), read again at each call because another program may have renewed
 * it; else the metadata service of the machine or the container (data/s3/metadata.h). -1 with
 * ERR_INVALID_PARAMETER if there are none.
 */
int s3_credentials_find(struct s3_credentials *credentials, struct err *err);
/* Finds the credentials of the section `profile` in the text of such a file. -1: it has no such
 * section, or the section has no id or secret. */
int s3_credentials_parse(const char *text, const char *profile, struct s3_credentials *credentials);
