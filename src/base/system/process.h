/* process: settings of the whole process. */
#pragma once

#include <stdint.h>

#include "base/err.h"

/*
 * Closes this process to others of the same user: they cannot read its memory or its descriptors
 * through /proc or ptrace(2), and it leaves no core file. Forked children inherit both; execve(2)
 * undoes the first. A build with sanitizers stays open to ptrace, which LeakSanitizer needs.
 */
void process_close_to_others(void);

/* Gives up every capability (capabilities(7)) that is not in `kept`, bits `1 << CAP_...`, for this
 * process and for all that it executes. To be called while there is one thread. */
int process_keep_capabilities(uint64_t kept, struct err *err);
