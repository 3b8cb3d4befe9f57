/* process: what holds for a whole process. */
#pragma once

/*
 * Closes this process to others of the same user: none can read its memory or its descriptors
 * through /proc or ptrace(2), and it leaves no core file. Children of a fork inherit both; execve
 * takes the first back. A sanitizer's build stays open to ptrace, by which leaks are looked for.
 */
void process_close_to_others(void);
