/* child: the life of one job's process, from fork to exit. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "tool/tool.h"
#include "worker/kept_files.h"
#include "worker/message.h"
#include "worker/sandbox.h"

/* Where a job's process finds itself. */
struct child_place {
    const struct tool *const *tools;
    size_t n_tools;
    const struct sandbox *sandbox;
    const char *folder;            /* of the job's own, or NULL */
    const struct kept_files *kept; /* what the libraries have open */
    size_t n_files;                /* descriptors the libraries need beyond the usual */
    int64_t mapped_bytes;          /* by the program before any job: no part of a job's memory */
    pid_t parent;                  /* the zygote */
};

/* Enters the sandbox, runs the tool of the request, reports, ends. */
_Noreturn void child_run(const struct message *request, const struct child_place *place);
