#include "data/account/plan.h"

#include <string.h>

#include "base/scope.h"

static const struct plan built_in[] = {
    { "pro", "$9.99", .requests_per_month = 1000, .bytes_per_month = 500000000,
      .max_unfinished = 100 },
    { "business", "$29.99", .requests_per_month = 50000, .bytes_per_month = 2000000000,
      .max_unfinished = 1000 },
};

void plan_list_init(struct plans *plans)
{
    *plans = (struct plans){ .n = COUNT(built_in) };
    memcpy(plans->list, built_in, sizeof built_in);
}

int plan_list_set(struct plans *plans, const struct plan *plan)
{
    size_t i = 0;

    while (i < plans->n && strcmp(plans->list[i].name, plan->name) != 0)
        i++;
    if (i == COUNT(plans->list))
        return -1;
    plans->list[i] = *plan;
    if (i == plans->n)
        plans->n++;
    return 0;
}

const struct plan *plan_list_find(const struct plans *plans, const char *name)
{
    for (size_t i = 0; i < plans->n; i++)
        if (strcmp(plans->list[i].name, name) == 0)
            return &plans->list[i];
    return NULL;
}
