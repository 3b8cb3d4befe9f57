#include "account/plan.h"

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
    is_int(plan_list_find(&plans, "pro")->bytes_per_month, 500000000, "and 500 MB");
    is_int(plan_list_find(&plans, "business")->requests_per_month, 50000, "business has 50,000");
    is_int(plan_list_find(&plans, "business")->bytes_per_month, 2000000000, "and 2 GB");
    ok(plan_list_find(&plans, "pro")->max_unfinished > 0, "a plan bounds unfinished jobs");
    ok(!plan_list_find(&plans, "team") && !plan_list_find(&plans, "") &&
           !plan_list_find(&plans, "Pro"),
       "there is no other");

    is_int(plan_list_set(&plans, &own), 0, "a plan can be added");
    is_int(plan_list_find(&plans, "team")->bytes_per_month, 8, "with its own figures");
    snprintf(own.name, sizeof own.name, "pro");
    is_int(plan_list_set(&plans, &own), 0, "a built-in one can be replaced");
    is_int(plan_list_find(&plans, "pro")->requests_per_month, 7, "and then has the new figures");
    is_int(plans.n, 3, "and stands in the list once");

    for (int i = 0; i < 13; i++) {
        snprintf(own.name, sizeof own.name, "plan%d", i);
        if (plan_list_set(&plans, &own) < 0)
            break;
    }
    is_int(plans.n, 16, "sixteen plans have room");
    snprintf(own.name, sizeof own.name, "more");
    is_int(plan_list_set(&plans, &own), -1, "a seventeenth has not");
    snprintf(own.name, sizeof own.name, "plan12");
    is_int(plan_list_set(&plans, &own), 0, "replacing one needs no room");
    return done_testing();
}
