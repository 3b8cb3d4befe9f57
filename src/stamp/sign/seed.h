/* seed: the requirements of a signature field's author for its signature (ISO 32000-2, 12.7.5.5,
 * tables 237 and 238: seed values). */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/object/obj.h"

struct seed_signature {
    const char *reason; /* NULL: none */
    bool stamped;       /* it gets a time stamp */
    bool certifies;
};

/*
 * Returns 0 if a signature fulfils them; -1 with ERR_INVALID_PARAMETER for what the caller can
 * change, with the field named, or ERR_UNSUPPORTED_CONTENT for formats that are not supported.
 * *certificates: only certain certificates are allowed, which is not checked.
 */
int seed_check(struct obj field, const struct seed_signature *signature, bool *certificates,
               struct err *err);
