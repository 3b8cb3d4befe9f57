/* plan: the limits of an account. Pro and Business are built in; the configuration adds plans or
 * changes their figures. MB and GB are decimal. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct plan {
    char name[32];
    char price[32];             /* for a month, as the page of plans shows it; may be "" */
    int64_t requests_per_month; /* limit of accepted operations */
    int64_t bytes_per_month;    /* limit of bytes uploaded for them */
    int64_t retention;          /* how long results are kept, in ms; 0: as the server's setting */
    /* the longest retention in ms that a job may request; a value below `retention` is replaced by
     * `retention` */
    int64_t max_retention;
    int64_t jobs_per_minute; /* limit of the jobs submitted within 60 s; 0: none */
    int64_t max_unfinished;  /* limit of waiting and running jobs of one key */
};

struct plans {
    struct plan list[16];
    size_t n;
};

/* Makes the list of the built-in plans, pro and business. */
void plan_list_init(struct plans *plans);
/* Adds a plan, or replaces the one with its name. -1 if there is no room. */
int plan_list_set(struct plans *plans, const struct plan *plan);
/* Finds a plan, borrowed; NULL if there is none with that name. */
const struct plan *plan_list_find(const struct plans *plans, const char *name);
