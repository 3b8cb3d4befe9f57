#include "sandbox/zygote/running.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/fdio.h"

void running_report(const struct running *job, enum request_event event, int wait,
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

bool running_make_room(struct running_list *list)
{
    size_t cap = list->cap ? list->cap * 2 : 64;
    struct running *items;

    if (list->n < list->cap)
        return true;
    items = realloc(list->items, cap * sizeof *items);
    if (!items)
        return false;
    list->items = items;
    list->cap = cap;
    return true;
}

pid_t running_reap(int *status, struct rusage *usage)
{
    siginfo_t info = { 0 };

    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 || info.si_pid == 0)
        return 0;
    kill(-info.si_pid, SIGKILL);
    return wait4(info.si_pid, status, 0, usage);
}

void running_stop(struct running_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        kill(list->items[i].pid, SIGKILL);
        kill(-list->items[i].pid, SIGKILL);
        while (waitpid(list->items[i].pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    list->n = 0;
}
