/* submission: the fields of a submission that concern the job and not its operation: clientRef
 * and callbackUrl. */
#pragma once

#include <stddef.h>

#include "base/digest.h"
#include "server/webhook/callback.h"

struct submission_fields {
    char *client_ref, *callback_url; /* NULL: not given */
};

/* Whether the field with this name is one of them. */
bool submission_has(const char *name);
/* Checks and stores a value of n bytes. ERR_INVALID_PARAMETER, also for a field that is given
 * twice. */
int submission_read(struct submission_fields *fields, const struct callback_rules *callbacks,
                    const char *name, const char *value, size_t n, struct err *err);
/* Adds the fields to the digest of the request's content. */
void submission_digest(const struct submission_fields *fields, struct digest *digest);
void submission_free(struct submission_fields *fields);
