#include "server/api_submit/retention.h"

#include <stdio.h>
#include <string.h>

#include "base/scope.h"

#define SHORTEST_MS 1000

void retention_limits(const struct config *config, const struct plan *plan, int64_t *preset,
                      int64_t *most)
{
    *preset = plan->retention ? plan->retention : config->retention;
    *most = plan->max_retention > *preset ? plan->max_retention : *preset;
}

/* As ttl is written, in the largest unit that leaves no rest: "7d", "36h". */
static void write_time(int64_t ms, char *out, size_t cap)
{
    static const struct {
        int64_t ms;
        char unit;
    } units[] = { { 86400000, 'd' }, { 3600000, 'h' }, { 60000, 'm' }, { 1000, 's' } };
    size_t i = 0;

    while (i + 1 < COUNT(units) && ms % units[i].ms != 0)
        i++;
    snprintf(out, cap, "%lld%c", (long long) (ms / units[i].ms), units[i].unit);
}

int retention_of(const struct config *config, const struct plan *plan, const char *value,
                 int64_t *ms, struct err *err)
{
    int64_t most;
    char longest[24];

    retention_limits(config, plan, ms, &most);
    if (!value)
        return 0;
    if (!config_parse_time(value, ms) || *ms < SHORTEST_MS)
        return err_field(err, ERR_INVALID_PARAMETER, RETENTION_FIELD,
                         RETENTION_FIELD " must be a time such as 90s, 30m, 12h or 7d");
    if (*ms <= most)
        return 0;
    write_time(most, longest, sizeof longest);
    return err_field(err, ERR_INVALID_PARAMETER, RETENTION_FIELD,
                     RETENTION_FIELD " is at most %s with the plan %s", longest, plan->name);
}

int retention_check(const struct config *config, const struct plan *plan, const char *field,
                    const char *value, struct err *err)
{
    int64_t ms;

    return strcmp(field, RETENTION_FIELD) == 0 ? retention_of(config, plan, value, &ms, err) : 0;
}
