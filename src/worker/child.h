/* child: the life of one job's process, from fork to exit. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "tool/tool.h"
#include "worker/message.h"
#include "worker/sandbox.h"

/* Enters the sandbox, runs the tool of the request, reports, ends. `parent` is the zygote. */
_Noreturn void child_run(const struct message *request, const struct tool *const *tools,
                         size_t n_tools, const struct sandbox *sandbox, pid_t parent);
