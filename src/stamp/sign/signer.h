/* signer: signs for a job, with a client's key or the server's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "declare/tool_run/run.h"
#include "stamp/sign/cms.h"
#include "stamp/sign/identity.h"

/*
 * Opens the identity in a client's PKCS #12 file, or without a file the server's own, of which
 * `run` gets a warning. `run` gets those of identity_warn, too. The caller frees the identity.
 * Errors: identity_open's, and ERR_MISSING_FIELD for a password without a file.
 */
int signer_open(struct identity *identity, struct tool_run *run, const struct tool_input *file,
                const char *password, int64_t now_ms, struct err *err);

/* An upper bound, in bytes, of a container (stamp/sign/cms.h), with a time stamp if `stamped`; 0
 * and an error if none can be made. */
size_t signer_room(const struct identity *identity, bool stamped, struct err *err);

/* Makes the container for the digest of a document, with a time stamp if `stamped`. */
int signer_sign(const struct identity *identity, struct tool_run *run, bool stamped,
                const unsigned char digest[static CMS_DIGEST], struct buf *der, struct err *err);
