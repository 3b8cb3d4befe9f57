/*
 * syscalls: restricts the system calls of a job's process, by seccomp(2). The filter is built once,
 * in the zygote (libseccomp); a job's process only loads it.
 */
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* What one program's jobs may do beyond what every job's process may. */
struct syscalls_more {
    const int *calls;
    size_t n_calls;
    bool libraries; /* files may be mapped as code */
};

/* Builds the filter program, an empty one if the kernel has no seccomp filters. */
int syscalls_prepare(struct sock_fprog *program, const struct syscalls_more *more, struct err *err);
/* What clone may make: nothing, threads but no processes, or processes but no threads. */
enum syscalls_clone { SYSCALLS_ALONE, SYSCALLS_THREADS, SYSCALLS_FORK };
/* Loads the filter for this process, a job's. Cannot be undone. Requires no_new_privs. */
int syscalls_enter(struct sock_fprog program, enum syscalls_clone clone, struct err *err);
/* What a worker program executes. */
enum syscalls_exec {
    SYSCALLS_EXEC_NONE,
    SYSCALLS_EXEC_ITSELF,
    SYSCALLS_EXEC_COMPANION, /* a program that confines its own processes: by namespaces, chroot */
};
/* To be called in a worker program, for itself and all jobs that are forked from it: refuses what
 * none of them needs (sandbox/confinement/zygote_syscalls.def), and execve unless the program
 * executes something. Cannot be undone. Sets no_new_privs. */
int syscalls_enter_zygote(enum syscalls_exec exec, struct err *err);
/* The same in a program that talks to other hosts: it keeps sockets of the Internet, of Unix and to
 * ask the kernel for addresses. It never executes another program. */
int syscalls_enter_client(struct err *err);
