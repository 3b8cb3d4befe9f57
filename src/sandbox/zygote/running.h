/* running: the processes that a zygote has made and that have not ended. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "sandbox/protocol/request.h"
#include "sandbox/zygote/companion.h"

struct running {
    pid_t pid;
    int status;                 /* the job's status socket */
    unsigned number;            /* of the job, for its folder (sandbox/zygote/folder.h) */
    bool trial;                 /* it is a self-test */
    struct companion companion; /* the program next to it */
    int64_t account;            /* for whose jobs it may be kept; 0: for none */
    int64_t since;              /* when it was made, by clock_mono_ms */
};

struct running_list {
    struct running *items;
    size_t n, cap;
};

/* Reports an event of a job to the server (struct request_status, which says what `wait` is).
 * `usage` is NULL and `pidfd` -1 for events that have none. If the message with the pidfd cannot be
 * sent, because the server has closed the socket, the process is killed: the job is not needed any
 * more. */
void running_report(const struct running *job, enum request_event event, int wait,
                    const struct rusage *usage, int pidfd);

/* Makes room for one more. False when out of memory. */
bool running_make_room(struct running_list *list);
/* Waits for a process that has ended, if there is one: its id, or 0. What it has forked
 * (struct tool, `processes`) is killed while its id cannot belong to another group. */
pid_t running_reap(int *status, struct rusage *usage);
/* Kills all of them and waits until they have ended (waitpid(2)). */
void running_stop(struct running_list *list);
