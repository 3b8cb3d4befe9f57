/* What a worker program may still do itself, before and between the jobs that are forked from it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "sandbox/confinement/sandbox.h"
#include "tap.h"

static char own[] = "/tmp/platen-zygote-XXXXXX", other[] = "/tmp/platen-other-XXXXXX";

static int make(const char *folder)
{
    char path[64];

    snprintf(path, sizeof path, "%s/made", folder);
    if (mkdir(path, 0700) < 0)
        return errno;
    return rmdir(path) < 0 ? errno : 0;
}

static int error_of(long result)
{
    return result < 0 ? errno : 0;
}

/* In a process of its own, as it cannot be undone. */
static int confined(enum syscalls_exec exec)
{
    char *const argv[] = { (char[]){ "true" }, NULL };
    AUTO_CLOSE int folder = open(own, O_PATH | O_CLOEXEC);
    struct sandbox_scope scope = { .n_files = 64 };
    struct err err = { 0 };
    static struct sandbox *sandbox; /* as long as the process, as in a worker program */
    int status = -1;
    pid_t pid;

    sandbox = sandbox_open(NULL, &err);
    if (!sandbox || sandbox_enter_zygote(sandbox, folder, exec, &err) < 0) {
        ok(false, "a worker program confines itself (%s)", err.msg);
        return 1;
    }
    is_int(make(own), 0, "a zygote can make files in its own folder");
    is_int(make(other), EACCES, "a zygote cannot make files in another folder");
    is_int(error_of(socket(AF_INET, SOCK_STREAM, 0)), EPERM, "a zygote cannot make an IPv4 socket");
    is_int(error_of(syscall(SYS_unshare, CLONE_NEWUSER)), EPERM,
           "a zygote cannot make a namespace");
    is_int(error_of(syscall(SYS_bpf, BPF_MAP_CREATE, NULL, 0)), EPERM, "a zygote cannot use bpf");
    is_int(error_of(syscall(SYS_io_uring_setup, 1, NULL)), EPERM, "a zygote cannot use io_uring");
    is_int(error_of(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0)), EPERM,
           "a zygote cannot read another process's memory");
#ifndef PLATEN_SANITIZERS
    is_int(error_of(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)), EPERM,
           "a zygote cannot trace its parent");
#endif
    is_int(error_of(kill(getppid(), 0)), EPERM, "a zygote cannot signal its parent");
    pid = fork();
    if (pid == 0)
        _exit(sandbox_enter(sandbox, &scope, &err) < 0);
    is_int(error_of(kill(pid, 0)), 0, "a zygote can signal its jobs");
    waitpid(pid, &status, 0);
    is_int(status, 0, "a zygote's job enters its own sandbox");
    pid = fork();
    if (pid == 0) {
        execv("/bin/true", argv);
        _exit(errno == EPERM ? 2 : 3);
    }
    waitpid(pid, &status, 0);
    is_int(WEXITSTATUS(status), exec != SYSCALLS_EXEC_NONE ? 0 : 2,
           exec != SYSCALLS_EXEC_NONE ? "one that starts itself anew runs a program"
                                      : "one that does not runs none");
    return done_testing();
}

/* With an argument as a program that starts itself anew. */
int main(int argc, char **argv)
{
    int status = -1;
    pid_t pid;

    (void) argv;
    if (!mkdtemp(own) || !mkdtemp(other) || chmod(own, 0777) < 0 || chmod(other, 0777) < 0)
        return 1;
    pid = fork();
    if (pid == 0)
        exit(confined(argc > 1 ? SYSCALLS_EXEC_ITSELF : SYSCALLS_EXEC_NONE));
    waitpid(pid, &status, 0);
    rmdir(own);
    rmdir(other);
    return status != 0;
}
