/* process: settings of the whole process. */
#pragma once

/*
 * Closes this process to others of the same user: they cannot read its memory or its descriptors
 * through /proc or ptrace(2), and it leaves no core file. Forked children inherit both; execve(2)
 * undoes the first. A build with sanitizers stays open to ptrace, which LeakSanitizer needs.
 */
void process_close_to_others(void);

/*
 * Gives up, for this process and all that it starts, the capabilities that a server started as root
 * does not need: it keeps those for files, ports below 1024, and to start and end its programs as
 * another user. None of them gains any by execve(2) either (no_new_privs). Does nothing for other
 * users, who have none.
 */
void process_shed_capabilities(void);
