/* plan: what a key's owner has bought. Pro and Business are built in; configuration adds others or
 * changes the figures. MB and GB are decimal. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct plan {
    char name[32];
    char price[32];             /* of a month, as the page of plans shows it; may be "" */
    int64_t requests_per_month; /* accepted operations */
    int64_t bytes_per_month;    /* of files uploaded in them */
    int64_t retention;          /* ms: how long results are kept; 0: as long as the server's are */
    int64_t max_retention;      /* ms: how long a job may ask for; not above: as retention */
    int64_t max_unfinished;     /* jobs of one key that may wait or run at a time */
};

struct plans {
    struct plan list[16];
    size_t n;
};

/* pro and business. */
void plans_init(struct plans *plans);
/* Adds a plan, or replaces the one of that name. -1 when there is no room. */
int plans_set(struct plans *plans, const struct plan *plan);
/* Borrowed; NULL if there is none of that name. */
const struct plan *plans_find(const struct plans *plans, const char *name);
