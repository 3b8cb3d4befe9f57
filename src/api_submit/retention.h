/* retention: how long a job's result is kept: as its request says, within what its plan allows. */
#pragma once

#include "config/config.h"

#define RETENTION_FIELD "ttl"

/* `value`: of the field, NULL if it did not come. ERR_INVALID_PARAMETER. */
int retention_of(const struct config *config, const struct plan *plan, const char *value,
                 int64_t *ms, struct err *err);
