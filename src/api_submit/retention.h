/* retention: how long a job's result is kept: as requested, within the limits of the plan. */
#pragma once

#include "config/config.h"

#define RETENTION_FIELD "ttl"

/* `value`: of the field, NULL if it was not sent. ERR_INVALID_PARAMETER. */
int retention_of(const struct config *config, const struct plan *plan, const char *value,
                 int64_t *ms, struct err *err);
