/* gauges: metrics that are measured when they are requested, not counted as events happen. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "api_call/api.h"

struct gauges {
    int64_t pending, running;
    int64_t oldest_ms; /* how long the oldest pending job has waited; 0: none waits */
    int workers, workers_busy, connections;
    int64_t disk_free, disk_size;
    double cpu_seconds, started_at; /* Unix seconds */
    int64_t resident, virtual_size, threads, files, files_max;
};

/* Measures all of them; those that /proc does not provide are 0. */
int gauges_read(struct api *api, struct gauges *gauges, struct err *err);
/* Sets the metrics to them. */
void gauges_set(const struct gauges *gauges);
