#include "server/monitoring/gauges.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/metric.h"
#include "base/num.h"
#include "base/scope.h"

/* The n-th field of /proc/self/stat, counted from 1; the second is a name in brackets. */
static int64_t stat_field(const char *line, int n)
{
    const char *p = strrchr(line, ')');
    int64_t value = 0;

    for (int i = 2; p && i < n; i++) {
        p = strchr(p, ' ');
        p = p ? p + 1 : NULL;
    }
    if (p)
        num_parse_i64(p, strcspn(p, " \n"), INT64_MIN, INT64_MAX, &value);
    return value;
}

static double boot_time(void)
{
    struct timespec wall, boot;

    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_BOOTTIME, &boot);
    return (double) (wall.tv_sec - boot.tv_sec) + (double) (wall.tv_nsec - boot.tv_nsec) / 1e9;
}

static int64_t count_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int64_t n = -3; /* ".", ".." and its own */

    if (!folder)
        return 0;
    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}

static void read_process(struct gauges *gauges)
{
    AUTO_FCLOSE FILE *file = fopen("/proc/self/stat", "re");
    double ticks = (double) sysconf(_SC_CLK_TCK);
    struct rlimit limit;
    char line[1024] = "";

    if (!file || !fgets(line, sizeof line, file))
        return;
    gauges->cpu_seconds = (double) (stat_field(line, 14) + stat_field(line, 15)) / ticks;
    gauges->threads = stat_field(line, 20);
    gauges->started_at = boot_time() + (double) stat_field(line, 22) / ticks;
    gauges->virtual_size = stat_field(line, 23);
    gauges->resident = stat_field(line, 24) * sysconf(_SC_PAGESIZE);
    gauges->files = count_files();
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        gauges->files_max = (int64_t) limit.rlim_cur;
}

static int read_stores(struct api *api, struct gauges *gauges, struct err *err)
{
    int64_t oldest = 0;

    if (store_depth(api->store, &gauges->pending, &gauges->running, err) < 0 ||
        store_oldest(api->store, &oldest, err) < 0 ||
        blob_room(api->blobs, &gauges->disk_free, &gauges->disk_size, err) < 0)
        return -1;
    if (oldest)
        gauges->oldest_ms = clock_wall_ms() - oldest;
    if (gauges->oldest_ms < 0) /* the clock was set back */
        gauges->oldest_ms = 0;
    gauges->known = true;
    return 0;
}

int gauges_read(struct api *api, struct gauges *gauges, struct err *err)
{
    struct http_server *server = atomic_load(&api->server);

    *gauges = (struct gauges){ 0 };
    dispatcher_load(api->dispatcher, &gauges->workers, &gauges->workers_busy);
    if (server)
        gauges->connections = http_server_connections(server);
    read_process(gauges);
    return read_stores(api, gauges, err);
}

void gauges_set(const struct gauges *gauges)
{
    const bool known = gauges->known;

    metric_set(METRIC_QUEUE_PENDING, known ? (double) gauges->pending : NAN);
    metric_set(METRIC_QUEUE_RUNNING, known ? (double) gauges->running : NAN);
    metric_set(METRIC_QUEUE_OLDEST, known ? (double) gauges->oldest_ms / 1e3 : NAN);
    metric_set(METRIC_WORKERS, gauges->workers);
    metric_set(METRIC_WORKERS_BUSY, gauges->workers_busy);
    metric_set(METRIC_HTTP_CONNECTIONS, gauges->connections);
    metric_set(METRIC_DISK_FREE, known ? (double) gauges->disk_free : NAN);
    metric_set(METRIC_DISK_SIZE, known ? (double) gauges->disk_size : NAN);
    metric_set(METRIC_PROCESS_CPU, gauges->cpu_seconds);
    metric_set(METRIC_PROCESS_MEMORY, (double) gauges->resident);
    metric_set(METRIC_PROCESS_VIRTUAL, (double) gauges->virtual_size);
    metric_set(METRIC_PROCESS_FILES, (double) gauges->files);
    metric_set(METRIC_PROCESS_FILES_MAX, (double) gauges->files_max);
    metric_set(METRIC_PROCESS_THREADS, (double) gauges->threads);
    metric_set(METRIC_PROCESS_START, gauges->started_at);
}
