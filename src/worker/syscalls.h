/*
 * syscalls: which system calls a job's process may make, by seccomp(2). The filter is built once,
 * in the zygote (libseccomp); a job's process only loads it.
 */
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* An empty program if the kernel has no seccomp filters. `more`: calls that are allowed besides. */
int syscalls_prepare(struct sock_fprog *program, const int *more, size_t n_more, struct err *err);
/* Cannot be undone. Needs no_new_privs. With `threads` clone makes threads, but never processes. */
int syscalls_enter(struct sock_fprog program, bool threads, struct err *err);
/* In a worker program, for itself and all jobs that are forked from it: refuses what none of them
 * needs (worker/zygote_syscalls.def), and execve unless the program starts itself again. Cannot be
 * undone. Sets no_new_privs. */
int syscalls_enter_zygote(bool runs_itself, struct err *err);
