/* gauges: metrics that are measured when they are requested, not counted as events happen. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "server/api_call/api.h"

struct gauges {
    bool known;               /* the store and the blobs answered: the next three, and the disk's */
    int64_t pending, running; /* numbers of jobs */
    int64_t oldest_ms;        /* how long the oldest pending job has waited; 0: none waits */
    int workers, workers_busy, connections;
    int64_t disk_free, disk_size;      /* bytes */
    double cpu_seconds, started_at;    /* started_at: Unix seconds */
    int64_t resident, virtual_size;    /* memory of this process in bytes */
    int64_t threads, files, files_max; /* threads, open files and their limit, of this process */
};

/* Measures all of them; those that /proc does not provide are 0. -1 if the store or the blobs
 * cannot be read: the others are measured all the same. */
int gauges_read(struct api *api, struct gauges *gauges, struct err *err);
/* Sets the metrics (base/metric.h) to the measured values; those that are not known, to NAN. */
void gauges_set(const struct gauges *gauges);
