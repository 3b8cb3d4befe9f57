#include "worker/zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "tool/describe.h"
#include "worker/child.h"
#include "worker/request.h"

struct running {
    pid_t pid;
    int status; /* the job's status socket */
};

struct zygote {
    const char *name;
    const struct tool *const *tools;
    size_t n_tools;
    struct sandbox *sandbox;
    pid_t pid;
    int children; /* a signalfd for SIGCHLD */
    struct running *running;
    size_t n, cap;
};

static bool started_by_server(void)
{
    int type = 0;
    socklen_t len = sizeof type;

    return getsockopt(ZYGOTE_CONTROL, SOL_SOCKET, SO_TYPE, &type, &len) == 0 &&
           type == SOCK_SEQPACKET;
}

static int say_hello(const struct zygote *zygote, struct err *err)
{
    AUTO_FREE char *text = NULL;
    json_t *tools = json_array(), *hello;

    for (size_t i = 0; i < zygote->n_tools; i++)
        json_array_append_new(tools, tool_describe(zygote->tools[i]));
    hello = json_pack("{ss si ss so}", "program", zygote->name, "protocol", ZYGOTE_PROTOCOL,
                      "layers", sandbox_layers(zygote->sandbox), "tools", tools);
    text = hello ? json_dumps(hello, JSON_COMPACT) : NULL;
    json_decref(hello);
    if (!text)
        return err_set(err, ERR_INTERNAL, "the tools cannot be described");
    return message_send(ZYGOTE_CONTROL, text, strlen(text), NULL, 0, err);
}

/* Where the server does not listen any more it does not want the job either. */
static void tell(const struct running *job, enum request_event event, int wait,
                 const struct rusage *usage, int pidfd)
{
    struct request_status status;
    struct err ignored;

    memset(&status, 0, sizeof status);
    status.event = (int32_t) event;
    status.wait = wait;
    if (usage) {
        status.cpu_ms = (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000 +
                        (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000;
        status.peak_bytes = usage->ru_maxrss * 1024;
    }
    if (fdio_send(job->status, &status, sizeof status, &pidfd, pidfd >= 0, &ignored) < 0 &&
        pidfd >= 0)
        kill(job->pid, SIGKILL);
}

static bool make_room(struct zygote *zygote)
{
    size_t cap = zygote->cap ? zygote->cap * 2 : 64;
    struct running *running;

    if (zygote->n < zygote->cap)
        return true;
    running = realloc(zygote->running, cap * sizeof *running);
    if (!running)
        return false;
    zygote->running = running;
    zygote->cap = cap;
    return true;
}

/*
 * fork, not clone3(CLONE_PIDFD): libraries get to run what they registered for a fork (OpenSSL's
 * random numbers, malloc's locks), and it works where a container forbids clone3. The pidfd cannot
 * name another process: only this one reaps its children, and it is here.
 */
static void start(struct zygote *zygote, struct message *request)
{
    struct running job = { .status = request->fds[REQUEST_STATUS] };
    AUTO_CLOSE int pidfd = -1;

    job.pid = make_room(zygote) ? fork() : -1;
    if (job.pid == 0)
        child_run(request, zygote->tools, zygote->n_tools, zygote->sandbox, zygote->pid);
    if (job.pid > 0)
        pidfd = (int) syscall(SYS_pidfd_open, job.pid, 0);
    if (pidfd < 0) {
        int number = errno;

        if (job.pid > 0) {
            kill(job.pid, SIGKILL);
            waitpid(job.pid, NULL, 0);
        }
        tell(&job, REQUEST_REFUSED, number, NULL, -1);
        return;
    }
    tell(&job, REQUEST_STARTED, 0, NULL, pidfd);
    request->fds[REQUEST_STATUS] = -1; /* kept */
    zygote->running[zygote->n++] = job;
}

static void reap(struct zygote *zygote)
{
    struct signalfd_siginfo info;
    struct rusage usage;
    int status;
    pid_t pid;

    if (read(zygote->children, &info, sizeof info) < 0)
        return; /* nothing to do after all */
    while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        for (size_t i = 0; i < zygote->n; i++) {
            if (zygote->running[i].pid != pid)
                continue;
            tell(&zygote->running[i], REQUEST_ENDED, status, &usage, -1);
            close(zygote->running[i].status);
            zygote->running[i] = zygote->running[--zygote->n];
            break;
        }
    }
}

/* One message of the server. False: it is gone, or talks nonsense. */
static bool serve(struct zygote *zygote)
{
    AUTO_MESSAGE struct message request;
    struct err err;
    int got = message_recv(ZYGOTE_CONTROL, &request, &err);

    if (got <= 0)
        return false;
    if (request.n_fds >= REQUEST_FIRST_INPUT)
        start(zygote, &request);
    return true;
}

static int prepare(struct zygote *zygote, struct err *err)
{
    struct rlimit files;
    sigset_t set;

    /* A job brings up to a thousand descriptors. */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    zygote->sandbox = sandbox_open(err);
    if (!zygote->sandbox)
        return -1;
    zygote->pid = getpid();
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    zygote->children = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (zygote->children < 0)
        return err_sys(err, "signalfd");
    return fcntl(ZYGOTE_CONTROL, F_SETFD, FD_CLOEXEC) < 0 ? err_sys(err, "control socket") : 0;
}

/* For children that live a few milliseconds: memory is taken in large steps, each page of it is
 * touched once, and nothing is given back before the end. */
static void set_heap(void)
{
    mallopt(M_TOP_PAD, 1 << 20);
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

int zygote_main(const char *name, const struct tool *const *tools, size_t n_tools,
                void (*warm)(void), int argc, char **argv)
{
    struct zygote zygote = { .name = name, .tools = tools, .n_tools = n_tools };
    struct pollfd polls[2] = { { .fd = ZYGOTE_CONTROL, .events = POLLIN }, { .events = POLLIN } };
    struct err err;

    (void) argc, (void) argv;
    if (!started_by_server()) {
        fprintf(stderr, "%s is a part of platen and started by it; see `platen --help`\n", name);
        return 2;
    }
    if (prepare(&zygote, &err) < 0 || say_hello(&zygote, &err) < 0) {
        fprintf(stderr, "%s: %s\n", name, err.msg);
        return 1;
    }
    if (warm)
        warm();
    /* What was freed so far would be sorted by every child anew, in pages of its own. */
    malloc_trim(0);
    set_heap();
    polls[1].fd = zygote.children;
    for (;;) {
        if (poll(polls, COUNT(polls), -1) < 0)
            continue; /* interrupted */
        if (polls[1].revents)
            reap(&zygote);
        if (polls[0].revents && !serve(&zygote))
            _exit(0);
    }
}
