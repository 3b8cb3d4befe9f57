#include "sandbox/zygote/companion.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/num.h"
#include "base/scope.h"

#define READS       3
#define WRITES      4
#define ENVIRONMENT 16 /* limit of the variables */

/* Leaves the descriptors that the program has: the standard streams, on /dev/null, and its ends. */
static int place_ends(int reads, int writes)
{
    /* Out of the way first: one may have the number of the other's place. */
    int from = fcntl(reads, F_DUPFD, WRITES + 1), to = fcntl(writes, F_DUPFD, WRITES + 1);

    if (from < 0 || to < 0 || dup2(from, READS) < 0 || dup2(to, WRITES) < 0 ||
        dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        return -1;
    return close_range(WRITES + 1, ~0U, 0);
}

static _Noreturn void execute(const struct companion_setup *setup, const char *folder)
{
    char home[FOLDER_PATH + 8], temporary[FOLDER_PATH + 8];
    const char *environment[ENVIRONMENT + 3] = { home, temporary };

    snprintf(home, sizeof home, "HOME=%s", folder);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
    for (size_t i = 0; i < ENVIRONMENT && setup->environment[i]; i++)
        environment[i + 2] = setup->environment[i];
    execve(setup->path, (char *const *) (uintptr_t) setup->argv,
           (char *const *) (uintptr_t) environment);
    _exit(127);
}

static _Noreturn void begin_program(const struct companion_setup *setup,
                                    const struct sandbox *sandbox,
                                    const struct companion *companion, pid_t parent, int reads,
                                    int writes)
{
    int folder = open(companion->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct err err;
    sigset_t none;

    /* A group of its own, in which all that it makes stays. */
    if (folder < 0 || setpgid(0, 0) < 0 || fchdir(folder) < 0 ||
        prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent ||
        sandbox_enter_companion(sandbox, &setup->scope, folder, &err) < 0 ||
        place_ends(reads, writes) < 0)
        _exit(126);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execute(setup, companion->folder);
}

int companion_start(const struct companion_setup *setup, const struct sandbox *sandbox,
                    struct companion *out, struct err *err)
{
    AUTO_CLOSE int reads = -1;
    AUTO_CLOSE int writes = -1;
    pid_t parent = getpid();
    int pair[2];

    if (pipe2(pair, O_CLOEXEC) < 0)
        return err_sys(err, "pipe");
    reads = pair[0];
    out->ends[1] = pair[1];
    if (pipe2(pair, O_CLOEXEC) < 0) {
        close(out->ends[1]);
        return err_sys(err, "pipe");
    }
    writes = pair[1];
    out->ends[0] = pair[0];
    out->pid = fork();
    if (out->pid == 0)
        begin_program(setup, sandbox, out, parent, reads, writes);
    if (out->pid > 0)
        return 0;
    out->pid = 0;
    companion_close(out);
    return err_sys(err, "fork");
}

/* Reads a file of /proc, of which a few lines at most are needed. */
static bool read_process(const char *pid, const char *file, char *out, size_t cap)
{
    char path[64];
    AUTO_CLOSE int fd = -1;
    ssize_t n;

    snprintf(path, sizeof path, "/proc/%.20s/%s", pid, file);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    n = fd < 0 ? -1 : read(fd, out, cap - 1);
    if (n >= 0)
        out[n] = '\0';
    return n > 0;
}

/* The bytes of memory that a process of the group uses and does not share; 0 for others. */
static int64_t own_bytes(const char *pid, pid_t group)
{
    char text[600];
    const char *name_end;
    int of_group = 0;
    long long all, resident = 0, shared = 0;

    /* proc(5): the name, which may have anything in it, ends with the last parenthesis; then the
     * state, the parent and the group. */
    if (!read_process(pid, "stat", text, sizeof text) || !(name_end = strrchr(text, ')')) ||
        sscanf(name_end + 1, " %*c %*d %d", &of_group) != 1 || of_group != group)
        return 0;
    /* NOLINTNEXTLINE(cert-err34-c): the kernel wrote it. */
    if (!read_process(pid, "statm", text, sizeof text) ||
        sscanf(text, "%lld %lld %lld", &all, &resident, &shared) != 3)
        return 0;
    return (resident - shared) * sysconf(_SC_PAGESIZE);
}

/* The sum of what the processes of a group use, and the one that uses most. */
static int64_t add_up(pid_t group, pid_t *largest_pid)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    int64_t sum = 0, largest = 0;

    while (processes && (entry = readdir(processes))) {
        int64_t bytes, process;

        if (!num_parse_i64(entry->d_name, strlen(entry->d_name), 1, INT_MAX, &process))
            continue;
        bytes = own_bytes(entry->d_name, group);
        sum += bytes;
        if (bytes > largest) {
            largest = bytes;
            *largest_pid = (pid_t) process;
        }
    }
    if (processes)
        closedir(processes);
    return sum;
}

void companion_bound(pid_t pid, int64_t most)
{
    pid_t largest = 0;

    if (add_up(pid, &largest) > most && largest > 0)
        kill(largest, SIGKILL);
}

int64_t companion_bytes(pid_t pid)
{
    pid_t largest;

    return add_up(pid, &largest);
}

void companion_close(struct companion *companion)
{
    for (size_t i = 0; i < COUNT(companion->ends); i++)
        scope_close(&companion->ends[i]);
    companion->ends[0] = companion->ends[1] = -1;
}

/* What the program has made becomes a child of this process, the nearest subreaper (prctl(2)), when
 * the program has ended. */
void companion_end(pid_t pid)
{
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL); /* before it has made its group */
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    while (waitpid(-pid, NULL, 0) > 0 || errno == EINTR)
        continue;
}
