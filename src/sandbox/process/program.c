#include "sandbox/process/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "sandbox/process/starter.h"

#define SEND_SECONDS 10 /* a zygote that accepts no message for this long is unusable */
/* time to end by itself: on a busy machine, removing its folder takes a while */
#define END_MS 10000

static int prepare_spawn(posix_spawn_file_actions_t *files, posix_spawnattr_t *attr, int control)
{
    sigset_t none, all;
    int failed = 0;

    sigemptyset(&none);
    sigfillset(&all);
    failed |= posix_spawn_file_actions_adddup2(files, control, ZYGOTE_CONTROL);
    failed |= posix_spawn_file_actions_addopen(files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    failed |= posix_spawn_file_actions_addopen(files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    failed |= posix_spawn_file_actions_addclosefrom_np(files, ZYGOTE_CONTROL + 1);
    failed |= posix_spawnattr_setsigmask(attr, &none);
    failed |= posix_spawnattr_setsigdefault(attr, &all);
    failed |= posix_spawnattr_setflags(attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                                                 POSIX_SPAWN_SETSID);
    return failed;
}

static int spawn_program(const char *program, int control, pid_t *pid, struct err *err)
{
    char *const argv[] = { (char *) (uintptr_t) program, NULL };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attr;
    int failed;

    if (posix_spawn_file_actions_init(&files) || posix_spawnattr_init(&attr))
        return err_set(err, ERR_INTERNAL, "out of memory");
    failed = prepare_spawn(&files, &attr, control);
    if (!failed)
        failed = posix_spawn(pid, program, &files, &attr, argv, starter_environment);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attr);
    errno = failed;
    return failed ? err_sys(err, "start %s", program) : 0;
}

static int start(const char *program, int control, enum program_user user, pid_t *pid,
                 struct err *err)
{
    if (user == PROGRAM_APART && starter_runs())
        return starter_start(program, control, pid, err);
    return spawn_program(program, control, pid, err);
}

int program_start(const char *program, enum program_user user, struct program *out, struct err *err)
{
    const struct timeval timeout = { .tv_sec = SEND_SECONDS };
    AUTO_CLOSE int ours = -1;
    AUTO_CLOSE int theirs = -1;
    int pair[2];

    *out = PROGRAM_NONE;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(err, "socketpair");
    ours = pair[0];
    theirs = pair[1];
    if (setsockopt(ours, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) < 0)
        return err_sys(err, "control socket");
    if (start(program, theirs, user, &out->pid, err) < 0)
        return -1;
    out->pidfd = (int) syscall(SYS_pidfd_open, out->pid, 0);
    out->control = scope_take_fd(&ours);
    if (out->pidfd < 0) {
        err_sys(err, "pidfd_open");
        program_end(out);
        return -1;
    }
    return 0;
}

bool program_end(struct program *program)
{
    struct pollfd ended = { .fd = program->pidfd, .events = POLLIN };
    bool killed;

    if (program->pid < 0)
        return true;
    close(program->control); /* the program ends when its socket closes */
    killed = program->pidfd < 0 || poll(&ended, 1, END_MS) != 1;
    if (killed)
        kill(program->pid, SIGKILL);
    while (waitpid(program->pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    if (program->pidfd >= 0)
        close(program->pidfd);
    *program = PROGRAM_NONE;
    return !killed;
}
