#include "sandbox/process/starter.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "base/system/process.h"
#include "sandbox/process/program_path.h"

/* Programs become another user, and may be in a folder that only its owner can search. */
#define KEPT (1ULL << CAP_SETUID | 1ULL << CAP_SETGID | 1ULL << CAP_DAC_READ_SEARCH)

struct reply {
    pid_t pid;
    int number; /* of errno(3); 0: started */
};

char *const starter_environment[] = {
    (char[]){ "PATH=/usr/bin:/bin" },
    (char[]){ "LANG=C.UTF-8" },
    (char[]){ "TZ=UTC0" }, /* needs no file of time zones */
    (char[]){ "HOME=/nonexistent" },
    /* A job allocates and frees millions of small objects in a short-lived process: freed ones
     * are kept for reuse instead of being sorted into the heap again and again. Of a heap of
     * hundreds of megabytes the reused ones are anywhere: without huge pages most of the time goes
     * into finding the page of an address. */
    (char[]){ "GLIBC_TUNABLES=glibc.malloc.tcache_count=65535:glibc.malloc.hugetlb=1" },
    NULL,
};

static int server_end = -1;
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

/* In the new process: executes the program, or reports the error and ends. */
static void execute(const char *program, int control, int failed)
{
    char *const argv[] = { (char *) (uintptr_t) program, NULL };
    sigset_t none;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), number;

    sigemptyset(&none);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    setsid();
    if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 &&
        dup2(control, ZYGOTE_CONTROL) >= 0 &&
        close_range(ZYGOTE_CONTROL + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0 &&
        sigprocmask(SIG_SETMASK, &none, NULL) == 0)
        execve(program, argv, starter_environment);
    number = errno;
    if (write(failed, &number, sizeof number) < 0)
        _exit(126);
    _exit(127);
}

/* The program becomes a child of the server, which waits for its end. */
static struct reply start(const char *program, int control)
{
    struct reply reply = { 0 };
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return (struct reply){ 0, errno };
    reply.pid = (pid_t) syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (reply.pid == 0)
        execute(program, control, ends[1]);
    if (reply.pid < 0)
        reply.number = errno;
    close(ends[1]);
    /* The end of the pipe: the program has been executed. */
    if (reply.pid > 0 && read(ends[0], &reply.number, sizeof reply.number) < 0)
        reply.number = errno;
    close(ends[0]);
    return reply;
}

/* A server that was taken over gets no other program started by root. */
static bool is_ours(const char *folder, const char *program)
{
    const char *name = strrchr(program, '/');
    char path[PATH_MAX];
    struct err ignored;

    return name && strncmp(name, "/platen-", 8) == 0 &&
           program_path(folder, name + 1, path, sizeof path, &ignored) == 0 &&
           strcmp(path, program) == 0;
}

/* Whether there was a request: at the end of the stream there is no descriptor. */
static bool receive(int from, char *program, size_t cap, int *control)
{
    struct iovec data = { program, cap - 1 };
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } room;
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room
    };
    struct cmsghdr *head;
    ssize_t n;

    *control = -1;
    do
        n = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    head = n >= 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
        memcpy(control, CMSG_DATA(head), sizeof *control);
    program[n > 0 ? n : 0] = '\0';
    return *control >= 0;
}

/* Until the server is gone. */
static _Noreturn void work(const char *folder)
{
    char program[PATH_MAX];
    struct reply reply;
    struct err ignored;
    int control;

    setsid(); /* a terminal's Ctrl-C is for the server */
    prctl(PR_SET_NAME, "platen-starter");
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (process_keep_capabilities(KEPT, &ignored) < 0)
        _exit(1);
    while (receive(ZYGOTE_CONTROL, program, sizeof program, &control)) {
        reply = is_ours(folder, program) ? start(program, control) : (struct reply){ 0, EPERM };
        close(control);
        if (send(ZYGOTE_CONTROL, &reply, sizeof reply, MSG_NOSIGNAL) < 0)
            break;
    }
    _exit(0);
}

int starter_begin(const char *folder, struct err *err)
{
    AUTO_CLOSE int ours = -1;
    AUTO_CLOSE int theirs = -1;
    int pair[2];
    pid_t pid;

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return err_sys(err, "socketpair");
    ours = pair[0];
    theirs = pair[1];
    pid = fork();
    if (pid < 0)
        return err_sys(err, "start the starter of programs");
    if (pid == 0) {
        if (theirs != ZYGOTE_CONTROL && dup2(theirs, ZYGOTE_CONTROL) < 0)
            _exit(1);
        close_range(ZYGOTE_CONTROL + 1, ~0U, 0);
        work(folder);
    }
    server_end = scope_take_fd(&ours);
    return 0;
}

bool starter_runs(void)
{
    return server_end >= 0;
}

static int request(const char *program, int control, struct reply *reply)
{
    struct iovec data = { (char *) (uintptr_t) program, strlen(program) };
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } room = { 0 };
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room
    };
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    ssize_t n;

    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof control);
    memcpy(CMSG_DATA(head), &control, sizeof control);
    if (sendmsg(server_end, &message, MSG_NOSIGNAL) < 0)
        return -1;
    do
        n = recv(server_end, reply, sizeof *reply, 0);
    while (n < 0 && errno == EINTR);
    if (n == sizeof *reply)
        return 0;
    errno = n < 0 ? errno : EPIPE;
    return -1;
}

int starter_start(const char *program, int control, pid_t *pid, struct err *err)
{
    struct reply reply = { 0 };
    int done;

    pthread_mutex_lock(&one_at_a_time);
    done = request(program, control, &reply);
    pthread_mutex_unlock(&one_at_a_time);
    if (done < 0)
        return err_sys(err, "the starter of programs does not answer: restart the server");
    *pid = reply.pid;
    if (reply.number && reply.pid > 0)
        waitpid(reply.pid, NULL, 0);
    errno = reply.number;
    return reply.number ? err_sys(err, "start %s", program) : 0;
}
