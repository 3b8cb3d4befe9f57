#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/scope.h"
#include "cmd/doctor/doctor.h"

#define HOLDS  0 /* the layer works: it refuses what it should */
#define ABSENT 1
#define LEAKS  2 /* the layer exists, and allows what it should refuse */

#define LIMIT_BYTES ((size_t) 1 << 30)

/* A layer cannot be removed: it is tried in a process that ends afterwards. */
static int try_in_child(int (*layer)(void))
{
    pid_t child = fork();
    int status;

    if (child < 0)
        return ABSENT;
    if (child == 0)
        _exit(layer());
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return ABSENT;
    return WIFEXITED(status) ? WEXITSTATUS(status) : LEAKS;
}

static int no_new_privs(void)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        return ABSENT;
    return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? HOLDS : LEAKS;
}

/* Installs a filter that refuses uname(2). */
static int seccomp_layer(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_uname, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ECHILD),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { COUNT(code), code };
    struct utsname name;

    if (no_new_privs() != HOLDS || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
        return ABSENT;
    return uname(&name) < 0 && errno == ECHILD ? HOLDS : LEAKS;
}

/* Installs rules that allow no file to be read. */
static int landlock_layer(void)
{
    struct landlock_ruleset_attr rules = { .handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE };
    long fd = syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);

    if (fd < 0 || no_new_privs() != HOLDS || syscall(SYS_landlock_restrict_self, fd, 0) < 0)
        return ABSENT;
    return open("/proc/self/exe", O_RDONLY | O_CLOEXEC) < 0 && errno == EACCES ? HOLDS : LEAKS;
}

static int rlimits_layer(void)
{
    struct rlimit limit = { LIMIT_BYTES, LIMIT_BYTES };

    if (setrlimit(RLIMIT_AS, &limit) < 0)
        return ABSENT;
    return mmap(NULL, 2 * LIMIT_BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED
               ? HOLDS
               : LEAKS;
}

static int user_namespace(void)
{
    return unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0 ? ABSENT : HOLDS;
}

static void check_layer(struct report *report, const struct config *config, const char *check,
                        int (*layer)(void), const char *fix)
{
    int found = try_in_child(layer);

    if (found == HOLDS) {
        report_line(report, FINDING_OK, check, "the kernel has it, and it holds");
        return;
    }
    report_line(report, config->allow_unsandboxed ? FINDING_WARN : FINDING_FAIL, check, "%s",
                found == ABSENT ? "the kernel or the container does not give it"
                                : "it is there, but does not hold");
    report_fix(report, "%s", fix);
}

/* Checks whether a cgroup limits this process's memory, which is recommended, not required. */
static void check_cgroup(struct report *report)
{
    static const char *const files[] = { "/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes" };
    char text[64] = "";

    for (size_t i = 0; i < COUNT(files) && !*text; i++) {
        AUTO_FCLOSE FILE *file = fopen(files[i], "re");

        if (file && fgets(text, sizeof text, file))
            text[strcspn(text, "\n")] = '\0';
    }
    /* Without a limit it is "max", or the largest possible number of pages. */
    report_line(report, FINDING_OK, "cgroup",
                *text && strcmp(text, "max") != 0 && strlen(text) < 16
                    ? "the memory of all processes together is bounded here: %s bytes"
                    : "no bound on the memory of all processes together here%.0s (MemoryMax= in "
                      "the unit sets one)",
                text);
}

void doctor_kernel(struct report *report, const struct config *config)
{
    struct utsname name;

    if (uname(&name) == 0)
        report_line(report, FINDING_OK, "kernel", "%s %s", name.sysname, name.release);
    check_layer(report, config, "no_new_privs", no_new_privs, "use a kernel of 3.5 or later");
    check_layer(
        report, config, "seccomp", seccomp_layer,
        "use a kernel with CONFIG_SECCOMP_FILTER; in a container, do not forbid seccomp(2)");
    check_layer(report, config, "rlimits", rlimits_layer,
                "raise no limit of the service to "
                "unlimited by force");
    check_layer(report, config, "landlock", landlock_layer,
                "use a kernel of 5.13 or later with landlock in lsm=; in a container, a seccomp "
                "profile that lets landlock_* through");
    if (try_in_child(landlock_layer) == HOLDS)
        report_line(report, FINDING_OK, "landlock ABI", "%ld",
                    syscall(SYS_landlock_create_ruleset, NULL, (size_t) 0,
                            LANDLOCK_CREATE_RULESET_VERSION));
    report_line(report, FINDING_OK, "user namespaces", "%s; platen does not need them",
                try_in_child(user_namespace) == HOLDS ? "can be made" : "cannot be made");
    check_cgroup(report);
}
