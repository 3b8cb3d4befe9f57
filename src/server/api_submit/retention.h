/* retention: how long a job's result is kept: as requested, within the limits of the plan. */
#pragma once

#include "server/config/config.h"

#define RETENTION_FIELD "ttl"

/* How long results of a plan are kept where a job says nothing, and how long at most, in
 * milliseconds. */
void retention_limits(const struct config *config, const struct plan *plan, int64_t *preset,
                      int64_t *most);

/* Sets *ms, in milliseconds, from the value of the field, or from the plan if that is NULL: it was
 * not sent. ERR_INVALID_PARAMETER if it is malformed or beyond the plan's limit. */
int retention_of(const struct config *config, const struct plan *plan, const char *value,
                 int64_t *ms, struct err *err);
/* Checks the value of a field, if that is RETENTION_FIELD: a wrong one is reported before the rest
 * of a request is sent. */
int retention_check(const struct config *config, const struct plan *plan, const char *field,
                    const char *value, struct err *err);
