/* process: settings of the whole process. */
#pragma once

/*
 * Closes this process to others of the same user: they cannot read its memory or its descriptors
 * through /proc or ptrace(2), and it leaves no core file. Forked children inherit both; execve(2)
 * undoes the first. A build with sanitizers stays open to ptrace, which LeakSanitizer needs.
 */
void process_close_to_others(void);
