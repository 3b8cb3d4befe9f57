/* running: the processes a zygote has made and not yet seen the end of. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "worker/request.h"

struct running {
    pid_t pid;
    int status; /* the job's status socket */
    unsigned number;
    bool trial;
    int64_t since; /* clock_mono_ms */
};

struct running_list {
    struct running *items;
    size_t n, cap;
};

/* Tells the server of one; `usage` may be NULL, pidfd -1. Where it does not listen any more it does
 * not want the job either. */
void running_tell(const struct running *job, enum request_event event, int wait,
                  const struct rusage *usage, int pidfd);

/* For one more. False when out of memory. */
bool running_make_room(struct running_list *list);
/* Ends all of them, and waits until they have ended: nobody else does. */
void running_stop(struct running_list *list);
