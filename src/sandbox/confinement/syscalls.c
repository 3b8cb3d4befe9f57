#include "sandbox/confinement/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/fdio.h"
#include "base/scope.h"

static const int allowed[] = {
#define ALLOW(name) SCMP_SYS(name),
#define REFUSE(name, number)
#include "sandbox/confinement/syscalls.def"
#undef ALLOW
#undef REFUSE
};

static const struct {
    int call, number;
} refused[] = {
#define ALLOW(name)
#define REFUSE(name, number) { SCMP_SYS(name), number },
#include "sandbox/confinement/syscalls.def"
#undef ALLOW
#undef REFUSE
};

/* fcntl must not make the kernel send signals (F_SETOWN, F_SETSIG) or take leases. */
static const int fcntl_allowed[] = { F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL,
                                     F_SETFL, F_GETLK,         F_SETLK, F_SETLKW };

/* A sanitizer makes further calls before it can report a finding. */
#ifdef PLATEN_SANITIZERS
#define ANY_OTHER SCMP_ACT_ERRNO(ENOTSUP)
#else
#define ANY_OTHER SCMP_ACT_KILL_PROCESS
#endif

static int add_partial(scmp_filter_ctx filter, bool libraries)
{
    const scmp_datum_t wx = PROT_WRITE | PROT_EXEC;
    int failed = 0;

    for (size_t i = 0; i < COUNT(fcntl_allowed); i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                                   SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t) fcntl_allowed[i]));
    /* Memory never becomes executable. All code is loaded before a job begins; only for a program
     * that opens shared libraries while a job runs, a file may be mapped as code, never writable.
     * A regular expression compiler that wants more works without (EACCES). */
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    failed |= seccomp_rule_add(filter, libraries ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EACCES),
                               SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, wx, PROT_EXEC));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(mmap), 1,
                               SCMP_A2(SCMP_CMP_MASKED_EQ, wx, wx));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(mprotect), 1,
                               SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
    /* A process may read its own limits. */
    failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2,
                               SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0));
    failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 1,
                               SCMP_A2(SCMP_CMP_NE, 0));
    return failed;
}

static bool among(int call, const int *calls, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (calls[i] == call)
            return true;
    return false;
}

static int build(scmp_filter_ctx filter, const struct syscalls_more *more, int out, struct err *err)
{
    int failed = add_partial(filter, more->libraries);

    for (size_t i = 0; i < COUNT(allowed); i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    for (size_t i = 0; i < more->n_calls; i++)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, more->calls[i], 0);
    for (size_t i = 0; i < COUNT(refused); i++)
        if (!among(refused[i].call, more->calls, more->n_calls))
            failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t) refused[i].number),
                                       refused[i].call, 0);
    failed |= seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a tree, not a list */
    if (failed || seccomp_export_bpf(filter, out) < 0)
        return err_set(err, ERR_INTERNAL, "the filter of system calls cannot be built");
    return 0;
}

/*
 * Instructions for what differs between jobs precede libseccomp's program (whose jumps are
 * relative); the job's process fills them in. abort() sends itself a signal by tgkill, and signals
 * to others are forbidden: so they contain the process's own number. And for some jobs, clone is
 * allowed with exactly the flags that glibc makes threads with (after clone3 was refused: its flags
 * are in memory, which a filter cannot read), or with those of its fork. A forked process has
 * another number, so that its abort() ends it with SIGSYS.
 */
#define MACHINE   1
#define CLONE     3
#define FLAGS     5
#define OWN_PID   8
#define FRONT_LEN 10
#define NO_CALL   0xffffffffU
#define THREAD_FLAGS                                                                               \
    (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |            \
     CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)
#define FORK_FLAGS (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD)
static const struct sock_filter front[FRONT_LEN] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    [MACHINE] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 8),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    [CLONE] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NO_CALL, 0, 2),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
    [FLAGS] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THREAD_FLAGS, 3, 4),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
    [OWN_PID] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

int syscalls_prepare(struct sock_fprog *program, const struct syscalls_more *more, struct err *err)
{
    AUTO_CLOSE int file = memfd_create("filter", MFD_CLOEXEC);
    AUTO_BUF struct buf text = BUF_EMPTY;
    scmp_filter_ctx filter;
    uint32_t action = SECCOMP_RET_KILL_PROCESS;
    int built;

    *program = (struct sock_fprog){ 0 };
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) < 0)
        return 0;
    filter = seccomp_init(ANY_OTHER);
    if (file < 0 || !filter)
        return err_sys(err, "seccomp");
    built = build(filter, more, file, err);
    seccomp_release(filter);
    buf_put(&text, front, sizeof front);
    lseek(file, 0, SEEK_SET);
    if (built < 0 || fdio_read_all(file, BPF_MAXINSNS * sizeof *front, &text, err) < 0)
        return -1;
    program->len = (unsigned short) (text.len / sizeof *front);
    program->filter = (struct sock_filter *) (void *) buf_take(&text);
    program->filter[MACHINE].k = seccomp_arch_native();
    return 0;
}

int syscalls_enter(struct sock_fprog program, enum syscalls_clone clone, struct err *err)
{
    program.filter[CLONE].k = clone == SYSCALLS_ALONE ? NO_CALL : SYS_clone;
    program.filter[FLAGS].k = clone == SYSCALLS_FORK ? FORK_FLAGS : THREAD_FLAGS;
    program.filter[OWN_PID].k = (uint32_t) getpid();
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
        return err_sys(err, "seccomp");
    return 0;
}

/* Calls that none of our programs needs, and in which kernel faults are often found; a call that
 * this machine's kernel does not have is not available to an attacker either. */
static const int closed[] = {
#define CLOSE(name) SCMP_SYS(name),
#include "sandbox/confinement/zygote_syscalls.def"
#undef CLOSE
};

/* Loads a filter and frees it. `failed`: it could not be built. */
static int load(scmp_filter_ctx filter, int failed, struct err *err)
{
    if (!failed)
        failed = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (!failed)
        failed = seccomp_load(filter);
    if (filter)
        seccomp_release(filter);
    return failed ? err_set(err, ERR_INTERNAL, "the filter of the program cannot be loaded") : 0;
}

/* The calls of `closed` but these. */
static int close_calls(scmp_filter_ctx filter, const int *but, size_t n)
{
    int failed = filter ? 0 : -1;

    for (size_t i = 0; !failed && i < COUNT(closed); i++)
        if (!among(closed[i], but, n))
            failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), closed[i], 0);
    return failed;
}

static int close_exec(scmp_filter_ctx filter)
{
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(execve), 0) ||
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(execveat), 0);
}

int syscalls_enter_zygote(enum syscalls_exec exec, struct err *err)
{
    static const int confining[] = { SCMP_SYS(unshare), SCMP_SYS(chroot) };
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int failed =
        close_calls(filter, confining, exec == SYSCALLS_EXEC_COMPANION ? COUNT(confining) : 0);

    if (!failed && exec == SYSCALLS_EXEC_NONE)
        failed = close_exec(filter);
    return load(filter, failed, err);
}

int syscalls_enter_client(struct err *err)
{
    static const int needed[] = { SCMP_SYS(socket), SCMP_SYS(connect), SCMP_SYS(bind) };
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int failed = close_calls(filter, needed, COUNT(needed));

    if (!failed)
        failed = close_exec(filter);
    for (unsigned family = 0; !failed && family <= AF_NETLINK; family++)
        if (family != AF_UNIX && family != AF_INET && family != AF_INET6 && family != AF_NETLINK)
            failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                                      SCMP_A0(SCMP_CMP_EQ, family));
    if (!failed)
        failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1,
                                  SCMP_A0(SCMP_CMP_GT, AF_NETLINK));
    return load(filter, failed, err);
}
