/* Many jobs from many threads at a time, and nothing left behind. */
#include <dirent.h>
#include <pthread.h>

#include "rig.h"

enum { THREADS = 8, JOBS = 200 };

struct load {
    pthread_t thread;
    struct worker *worker;
    int number, right;
};

static void *run_jobs(void *arg)
{
    struct load *load = arg;

    for (int i = 0; i < JOBS; i++) {
        char text[32];
        RIG(rig, load->worker, i % 20 ? "say" : "die", text, i % 20 ? 0 : 11);

        snprintf(text, sizeof text, "%d of %d", i, load->number);
        rig_run(&rig);
        if (i % 20)
            load->right += rig.end == WORKER_DONE && strcmp(rig_text(&rig), text) == 0;
        else
            load->right += rig.end == WORKER_LOST;
    }
    return NULL;
}

static int count_files(int pid)
{
    char path[64];
    DIR *dir;
    int n = 0;

    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    dir = opendir(path);
    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

static long zygote_kb(int pid, const char *field)
{
    AUTO_FCLOSE FILE *file = NULL;
    char path[64], line[256];
    long kb = -1;

    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
    file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, field, strlen(field)) == 0)
            kb = strtol(line + strlen(field), NULL, 10);
    return kb;
}

struct look {
    struct rig rig;
    int server, zygote, pid; /* how many descriptors, the zygote's pid */
};

/* While a job is at work nothing of an earlier one is about to be tidied away. */
static bool look_around(void *arg, double fraction)
{
    struct look *look = arg;
    int pids[2];

    if (fraction < 0.5)
        return true;
    if (pread(look->rig.output, pids, sizeof pids, 0) == sizeof pids) {
        look->pid = pids[1];
        look->server = count_files((int) getpid());
        look->zygote = count_files(pids[1]);
    }
    return false;
}

static struct look look_at(struct worker *worker)
{
    struct look look = { .pid = -1 };

    rig_job(&look.rig, worker, "sleep", "", 0);
    look.rig.job.progress = look_around;
    look.rig.job.arg = &look;
    rig_run(&look.rig);
    rig_done(&look.rig);
    return look;
}

int main(int argc, char **argv)
{
    struct err err;
    struct worker *worker = argc == 2 ? worker_open("rogue", argv[1], false, &err) : NULL;
    struct load load[THREADS];
    struct look before, after;
    int right = 0;

    if (!worker)
        return 1;
    before = look_at(worker);
    for (int i = 0; i < THREADS; i++) {
        load[i] = (struct load){ .worker = worker, .number = i };
        pthread_create(&load[i].thread, NULL, run_jobs, &load[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(load[i].thread, NULL);
        right += load[i].right;
    }
    after = look_at(worker);
    is_int(right, THREADS * JOBS, "%d threads run %d jobs each, and each gets its own result",
           THREADS, JOBS);
    is_int(after.server, before.server, "the server has no descriptor more than before");
    ok(before.zygote > 5, "the zygote's descriptors can be seen (%d)", before.zygote);
    is_int(after.zygote, before.zygote, "nor has the zygote");
    is_int(after.pid, before.pid, "which is the same as before");
    printf("# zygote: Rss %ld kB, Pss %ld kB, Private_Dirty %ld kB\n", zygote_kb(after.pid, "Rss:"),
           zygote_kb(after.pid, "Pss:"), zygote_kb(after.pid, "Private_Dirty:"));
    worker_close(worker);
    return done_testing();
}
