/*
 * metric: figures about the running server, in Prometheus' text format 0.0.4. base/metric.def
 * lists them all. Safe from any thread.
 */
#pragma once

#include <stdint.h>

#include "base/buf.h"

enum metric {
#define METRIC(symbol, name, kind, label, help) METRIC_##symbol,
#include "base/metric.def"
#undef METRIC
    METRIC_COUNT,
};

/* `label` has the values of the metric's labels with commas between them, or is NULL if the
 * metric has no labels. Values come from small sets of our own (tools, codes), never from
 * clients; beyond 256 different ones they are counted as "other". */
void metric_add(enum metric metric, const char *label, double amount); /* for counters */
void metric_set(enum metric metric, double value);                     /* for gauges */
/* Counts a value in a histogram. */
void metric_observe(enum metric metric, const char *label, double value);

/* Calls each(label, value) for the series of a counter or gauge. */
void metric_each(enum metric metric, void (*each)(void *arg, const char *label, double value),
                 void *arg);

/* Appends all series. */
void metric_write(struct buf *out);
