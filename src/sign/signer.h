/* signer: signs for a job, with a client's key or the server's. */
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
 * The identity in a client's PKCS #12 file, or if there is none the server's own, with a warning on
 * `run`; warnings about the certificate, too. Errors: identity_open's, and ERR_MISSING_FIELD for a
 * password without a file.
 */
int signer_take(struct identity *identity, struct tool_run *run, const struct tool_input *file,
                const char *password, int64_t now_ms, struct err *err);

/* Limit of the size of a container; 0 if none can be made. */
size_t signer_room(const struct identity *identity, bool stamped, struct err *err);

/* Makes the container for the digest of a document, with a time stamp if `stamped`. */
int signer_sign(const struct identity *identity, struct tool_run *run, bool stamped,
                const unsigned char digest[static CMS_DIGEST], struct buf *der, struct err *err);
