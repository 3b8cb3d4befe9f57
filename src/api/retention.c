#include "api/retention.h"

#define SHORTEST_MS 1000

static int64_t preset_of(const struct config *config, const struct plan *plan)
{
    return plan->retention ? plan->retention : config->retention;
}

int retention_of(const struct config *config, const struct plan *plan, const char *value,
                 int64_t *ms, struct err *err)
{
    int64_t preset = preset_of(config, plan);
    int64_t most = plan->max_retention > preset ? plan->max_retention : preset;

    *ms = preset;
    if (!value)
        return 0;
    if (!config_parse_time(value, ms) || *ms < SHORTEST_MS)
        return err_field(err, ERR_INVALID_PARAMETER, RETENTION_FIELD,
                         RETENTION_FIELD " must be a time such as 90s, 30m, 12h or 7d");
    if (*ms > most)
        return err_field(err, ERR_INVALID_PARAMETER, RETENTION_FIELD,
                         RETENTION_FIELD " is at most %lld seconds with the plan %s",
                         (long long) most / 1000, plan->name);
    return 0;
}
