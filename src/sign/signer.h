/* signer: who signs for a job, with a client's key or the server's, and what they make of a digest.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "sign/cms.h"
#include "sign/identity.h"
#include "tool/run.h"

/*
 * The identity in a client's PKCS #12 file, or where there is none the server's own seal, which is
 * said on `run`, as is what makes others doubt a certificate. Errors: identity_open's, and
 * ERR_MISSING_FIELD for a password without a file.
 */
int signer_take(struct identity *identity, struct tool_run *run, const struct tool_input *file,
                const char *password, int64_t now_ms, struct err *err);

/* How many bytes a container has at most; 0 if none can be made. */
size_t signer_room(const struct identity *identity, bool stamped, struct err *err);

/* The container over the digest of a document, with a time stamp if it is to have one. */
int signer_sign(const struct identity *identity, struct tool_run *run, bool stamped,
                const unsigned char digest[static CMS_DIGEST], struct buf *der, struct err *err);
