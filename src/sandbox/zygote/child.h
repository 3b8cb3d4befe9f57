/* child: the process of one job, from fork to exit. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "declare/tool/tool.h"
#include "sandbox/confinement/sandbox.h"
#include "sandbox/protocol/message.h"
#include "sandbox/zygote/kept_files.h"

/* The exit status of a process that has reported, and has left its companion ready for another
 * job; 0: it has reported. */
#define CHILD_LEFT_CLEAN 3

/* What a job's process inherits. */
struct child_place {
    const struct tool *const *tools;
    size_t n_tools;
    const struct sandbox *sandbox;
    const char *folder;            /* folder of the job, or NULL */
    const int *companion;          /* two ends of pipes, as in struct tool_run; NULL: none */
    unsigned companion_jobs;       /* next to which it ran before */
    const struct kept_files *kept; /* descriptors that the libraries have open */
    size_t n_files;                /* descriptors that the libraries need beyond the usual ones */
    /* address space of the program before any job, which does not count as the job's memory */
    int64_t mapped_bytes;
    pid_t parent; /* the zygote */
};

/* Enters the sandbox, runs the tool of the request, reports, and exits. */
_Noreturn void child_run(const struct message *request, const struct child_place *place);
