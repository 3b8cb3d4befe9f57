#include "sandbox/confinement/rlimits.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/scope.h"

#define THREADS 4096

static int set(int resource, int64_t soft, int64_t grace, struct err *err)
{
    struct rlimit now, want;

    if (getrlimit((__rlimit_resource_t) resource, &now) < 0)
        return err_sys(err, "getrlimit");
    want.rlim_max = (rlim_t) (soft + grace) < now.rlim_max ? (rlim_t) (soft + grace) : now.rlim_max;
    want.rlim_cur = (rlim_t) soft < want.rlim_max ? (rlim_t) soft : want.rlim_max;
    if (setrlimit((__rlimit_resource_t) resource, &want) < 0)
        return err_sys(err, "setrlimit");
    return 0;
}

int rlimits_enter(const struct worker_limits *limits, size_t n_files, bool more, struct err *err)
{
    int64_t cores = limits->cores > 1 ? limits->cores : 1;
    int64_t cpu_s = limits->run_ms > 0 ? (limits->run_ms / 1000 + 2) * cores : 0;

    if (set(RLIMIT_CORE, 0, 0, err) < 0 || set(RLIMIT_NOFILE, (int64_t) n_files, 0, err) < 0)
        return -1;
    /* 0 refuses every fork of a user who is not root. All of a user's threads on the machine are
     * counted together, so no small number works if some are needed. */
    if (set(RLIMIT_NPROC, more ? THREADS : 0, 0, err) < 0)
        return -1;
    if (limits->output_bytes > 0 && set(RLIMIT_FSIZE, limits->output_bytes, 0, err) < 0)
        return -1;
    /* The server kills the process at the deadline; this is for the case that it cannot. */
    if (limits->office_cpu_ms > 0 && (cpu_s == 0 || limits->office_cpu_ms / 1000 < cpu_s))
        cpu_s = (limits->office_cpu_ms + 999) / 1000;
    if (cpu_s > 0 && set(RLIMIT_CPU, cpu_s, 5, err) < 0)
        return -1;
#ifndef PLATEN_SANITIZERS /* sanitizers need terabytes of address space */
    if (limits->memory_bytes > 0 && set(RLIMIT_AS, limits->memory_bytes, 0, err) < 0)
        return -1;
#endif
    return 0;
}

int rlimits_enter_companion(int64_t data_bytes, size_t n_files, struct err *err)
{
    if (set(RLIMIT_CORE, 0, 0, err) < 0 || set(RLIMIT_NOFILE, (int64_t) n_files, 0, err) < 0 ||
        set(RLIMIT_NPROC, THREADS, 0, err) < 0)
        return -1;
    return set(RLIMIT_DATA, data_bytes, 0, err);
}

int64_t rlimits_mapped(void)
{
    AUTO_FCLOSE FILE *statm = fopen("/proc/self/statm", "re");
    long long pages = 0;

    /* NOLINTNEXTLINE(cert-err34-c): the kernel wrote it. */
    return statm && fscanf(statm, "%lld", &pages) == 1 ? pages * sysconf(_SC_PAGESIZE) : 0;
}
