#include "data/account/plan.h"

#include "tap.h"

int main(void)
{
    struct plans plans;
    struct plan own = { "team", .requests_per_month = 7, .bytes_per_month = 8,
                        .max_unfinished = 9 };

    plan_list_init(&plans);
    is_int(plans.n, 2, "two plans are built in");
    is_int(plan_list_find(&plans, "pro")->requests_per_month, 1000,
           "pro has 1,000 requests a month");
    is_int(plan_list_find(&plans, "pro")->bytes_per_month, 500000000, "pro has 500 MB a month");
    is_int(plan_list_find(&plans, "business")->requests_per_month, 50000,
           "business has 50,000 requests a month");
    is_int(plan_list_find(&plans, "business")->bytes_per_month, 2000000000,
           "business has 2 GB a month");
    ok(plan_list_find(&plans, "pro")->max_unfinished > 0, "pro limits unfinished jobs");
    ok(!plan_list_find(&plans, "team") && !plan_list_find(&plans, "") &&
           !plan_list_find(&plans, "Pro"),
       "no plan is found by an unknown or an empty name");

    is_int(plan_list_set(&plans, &own), 0, "a plan can be added");
    is_int(plan_list_find(&plans, "team")->bytes_per_month, 8, "an added plan has its own limits");
    snprintf(own.name, sizeof own.name, "pro");
    is_int(plan_list_set(&plans, &own), 0, "a built-in plan can be replaced");
    is_int(plan_list_find(&plans, "pro")->requests_per_month, 7,
           "a replaced plan has the new limits");
    is_int(plans.n, 3, "a replaced plan is in the list once");

    for (int i = 0; i < 13; i++) {
        snprintf(own.name, sizeof own.name, "plan%d", i);
        if (plan_list_set(&plans, &own) < 0)
            break;
    }
    is_int(plans.n, 16, "the list has room for sixteen plans");
    snprintf(own.name, sizeof own.name, "more");
    is_int(plan_list_set(&plans, &own), -1, "a seventeenth plan is refused");
    snprintf(own.name, sizeof own.name, "plan12");
    is_int(plan_list_set(&plans, &own), 0, "a plan of a full list can be replaced");
    return done_testing();
}
