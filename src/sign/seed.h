/* seed: what the author of a signature field wants of the signature in it (ISO 32000-2, 12.7.5.5,
 * tables 237 and 238: seed values). */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/obj.h"

struct seed_signature {
    const char *reason; /* NULL: none */
    bool stamped;       /* it gets a time stamp */
    bool certifies;
};

/*
 * Whether such a signature is one that is wanted. ERR_INVALID_PARAMETER for what the caller can
 * change, with the field named; ERR_UNSUPPORTED_CONTENT for formats that are not ours.
 * *certificates: only some certificates are wanted, which is not judged.
 */
int seed_check(struct obj field, const struct seed_signature *signature, bool *certificates,
               struct err *err);
