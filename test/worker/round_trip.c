/* How long a trivial job takes through worker_run, one at a time, and what it costs. */
#include <sys/resource.h>
#include <time.h>

#include "rig.h"

enum { JOBS = 2000 };

static double now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec * 1e6 + (double) t.tv_nsec / 1e3;
}

static double cpu_us(int who)
{
    struct rusage usage;

    getrusage(who, &usage);
    return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6 +
           (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    static double took[JOBS];
    struct err err;
    struct worker *worker = argc == 2 ? worker_open("rogue", argv[1], true, &err) : NULL;
    double server, all;
    int done = 0;

    if (!worker)
        return 1;
    RIG(rig, worker, "say", "x", 0);
    server = cpu_us(RUSAGE_SELF);
    for (int i = 0; i < JOBS; i++) {
        double start = now_us();

        done += rig_run(&rig) == WORKER_DONE;
        took[i] = now_us() - start;
        worker_result_free(&rig.result);
    }
    server = cpu_us(RUSAGE_SELF) - server;
    worker_close(worker);
    all = cpu_us(RUSAGE_CHILDREN); /* the zygote and what it reaped */
    qsort(took, JOBS, sizeof *took, by_size);
    printf("%d of %d done; wall median %.0f us, 95%% %.0f us; processor %.0f us a job (server "
           "%.0f, zygote and process %.0f)\n",
           done, JOBS, took[JOBS / 2], took[JOBS * 95 / 100], (server + all) / JOBS, server / JOBS,
           all / JOBS);
    return done != JOBS;
}
