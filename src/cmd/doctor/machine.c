#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system/thread.h"
#include "cmd/doctor/doctor.h"

#define DESCRIPTORS_EACH 3 /* of a connection: its socket, an upload, a result */
#define DESCRIPTORS_ELSE 512

static void check_clock(struct report *report)
{
    struct timex state = { 0 };
    char now[CLOCK_TEXT];
    struct stat st;

    clock_format(clock_wall_ms(), now);
    if (stat("/proc/self/exe", &st) == 0 && st.st_mtime > time(NULL) + 86400) {
        report_line(report, FINDING_FAIL, "clock", "%s, before this program was built", now);
        report_fix(report, "set the clock: expiry, quotas and signatures go by it");
        return;
    }
    if (adjtimex(&state) < 0 || !(state.status & STA_UNSYNC)) {
        report_line(report, FINDING_OK, "clock", "%s, kept by a time service", now);
        return;
    }
    report_line(report, FINDING_WARN, "clock", "%s, and nothing keeps it right", now);
    report_fix(report, "run a time service: apt install systemd-timesyncd, or chrony");
}

static void check_files(struct report *report, const struct config *config)
{
    rlim_t want = (rlim_t) config->max_connections * DESCRIPTORS_EACH + DESCRIPTORS_ELSE;
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
        return;
    if (limit.rlim_max >= want) {
        report_line(report, FINDING_OK, "open files", "%llu allowed, %llu wanted",
                    (unsigned long long) limit.rlim_max, (unsigned long long) want);
        return;
    }
    report_line(report, FINDING_WARN, "open files",
                "%llu allowed here, %llu wanted for max_connections = %lld",
                (unsigned long long) limit.rlim_max, (unsigned long long) want,
                (long long) config->max_connections);
    report_fix(report, "LimitNOFILE=%llu in the unit, or ulimit -Hn; or fewer max_connections",
               (unsigned long long) want);
}

/* Checks whether all jobs can use job_memory at the same time. */
static void check_memory(struct report *report, const struct config *config)
{
    int64_t workers = config->workers ? config->workers : thread_cores() + 1;
    struct sysinfo info;
    double all, want;

    if (sysinfo(&info) < 0)
        return;
    all = (double) info.totalram * info.mem_unit;
    want = (double) workers * (double) config->job_memory;
    report_line(report, want <= all ? FINDING_OK : FINDING_WARN, "memory",
                "%.1f GB; %lld jobs at a time may ask for %.1f GB of address space", all / 1e9,
                (long long) workers, want / 1e9);
    if (want > all)
        report_fix(report, "most jobs take 20 to 100 MB; for large documents set workers or "
                           "job_memory lower, or MemoryMax= in the unit");
}

void doctor_machine(struct report *report, const struct config *config)
{
    check_clock(report);
    check_memory(report, config);
    check_files(report, config);
}
