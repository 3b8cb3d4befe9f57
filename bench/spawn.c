/*
 * spawn: runs one `qpdf --rotate` process for each file, some at a time, from a launcher that costs
 * nothing. Prints one line of JSON.
 *
 *     spawn AT_A_TIME SECONDS FILE FOLDER
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/scope.h"
#include "times.h"

#define MAX_TIMES   1000000
#define MAX_AT_ONCE 64

extern char **environ;

struct run {
    pid_t pid;
    double began;
    char output[512];
};

static double times[MAX_TIMES];

static void start(struct run *run, char *input)
{
    char name[] = "qpdf", rotate[] = "--rotate=90";
    char *arguments[] = { name, rotate, input, run->output, NULL };

    run->began = times_now(CLOCK_MONOTONIC);
    if (posix_spawnp(&run->pid, name, NULL, NULL, arguments, environ) != 0) {
        fprintf(stderr, "spawn: qpdf cannot be started\n");
        exit(1);
    }
}

/* Waits for any of them. */
static struct run *await(struct run *runs, size_t n, struct rusage *usage)
{
    int status;
    pid_t pid = wait4(-1, &status, 0, usage);

    if (pid < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "spawn: qpdf failed\n");
        exit(1);
    }
    for (size_t i = 0; i < n; i++)
        if (runs[i].pid == pid)
            return &runs[i];
    abort();
}

static double milliseconds(struct timeval t)
{
    return (double) t.tv_sec * 1e3 + (double) t.tv_usec / 1e3;
}

int main(int argc, char **argv)
{
    struct run runs[MAX_AT_ONCE] = { 0 };
    size_t at_once = argc == 5 ? strtoul(argv[1], NULL, 10) : 0, n = 0;
    double began = times_now(CLOCK_MONOTONIC), until, cpu = 0;
    struct rusage usage;

    if (at_once == 0 || at_once > MAX_AT_ONCE)
        return 2;
    until = began + strtod(argv[2], NULL) * 1e3;
    /* Files that are there already: the cheapest for qpdf. New ones would cost it more the more
     * files the others deleted just before (ext4 passes over their inodes). */
    for (size_t i = 0; i < at_once; i++) {
        snprintf(runs[i].output, sizeof runs[i].output, "%s/out-%zu.pdf", argv[4], i);
        start(&runs[i], argv[3]);
    }
    for (;;) {
        struct run *run = await(runs, at_once, &usage);

        times[n++] = times_now(CLOCK_MONOTONIC) - run->began;
        cpu += milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
        if (times_now(CLOCK_MONOTONIC) > until || n == MAX_TIMES)
            break;
        start(run, argv[3]);
    }
    double seconds = (times_now(CLOCK_MONOTONIC) - began) / 1e3;
    times_sort(times, n);
    printf("{\"n\": %zu, \"rate\": %.1f, \"whole_p50\": %.3f, \"whole_p95\": %.3f, \"all\": %zu, "
           "\"jobs_cpu\": %.3f, \"client_cpu\": 0}\n",
           n, (double) n / seconds, times_percentile(times, n, 50), times_percentile(times, n, 95),
           n, cpu / (double) n);
    while (wait4(-1, NULL, 0, NULL) > 0)
        ;
    return 0;
}
