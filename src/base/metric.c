#include "base/metric.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum kind { COUNTER, COUNTER_REAL, GAUGE, HISTOGRAM, HISTOGRAM_BYTES, HISTOGRAM_COUNT };

static const struct {
    const char *name;
    enum kind kind;
    const char *label, *help;
} families[] = {
#define METRIC(symbol, name, kind, label, help) { name, kind, label, help },
#include "base/metric.def"
#undef METRIC
};

#define BUCKETS 14
static const double bounds[][BUCKETS] = {
    [HISTOGRAM] = { .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10, 60, 600 },
    [HISTOGRAM_BYTES] = { 4e6, 8e6, 12e6, 16e6, 24e6, 32e6, 48e6, 64e6, 96e6, 128e6, 256e6, 512e6,
                          1e9, 4e9 },
    [HISTOGRAM_COUNT] = { 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256 },
};

#define SERIES 128
struct series {
    char label[64];
    double value; /* a histogram's sum */
    uint64_t count, buckets[BUCKETS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards what follows */
static struct series table[METRIC_COUNT][SERIES];
static size_t used[METRIC_COUNT];

static struct series *series_of(enum metric metric, const char *label)
{
    if (!label)
        label = "";
    for (size_t i = 0; i < used[metric]; i++)
        if (strcmp(table[metric][i].label, label) == 0)
            return &table[metric][i];
    if (used[metric] == SERIES)
        return &table[metric][SERIES - 1];
    struct series *s = &table[metric][used[metric]++];
    snprintf(s->label, sizeof s->label, "%s", used[metric] == SERIES ? "other" : label);
    return s;
}

void metric_add(enum metric metric, const char *label, double amount)
{
    pthread_mutex_lock(&lock);
    series_of(metric, label)->value += amount;
    pthread_mutex_unlock(&lock);
}

void metric_set(enum metric metric, double value)
{
    pthread_mutex_lock(&lock);
    series_of(metric, NULL)->value = value;
    pthread_mutex_unlock(&lock);
}

void metric_observe(enum metric metric, const char *label, double value)
{
    const double *bound = bounds[families[metric].kind];

    pthread_mutex_lock(&lock);
    struct series *s = series_of(metric, label);
    s->value += value;
    s->count++;
    for (size_t i = 0; i < BUCKETS; i++)
        s->buckets[i] += value <= bound[i];
    pthread_mutex_unlock(&lock);
}

#define PAIRS 160

/* "tool,end" and "rotate,completed" are tool="rotate",end="completed"; a value that is not there is
 * "other". */
static void write_pairs(const char *names, const char *values, char out[static PAIRS])
{
    size_t n = 0;

    *out = '\0';
    while (names && *names && n < PAIRS) {
        size_t name = strcspn(names, ","), value = strcspn(values, ",");

        n += (size_t) snprintf(out + n, PAIRS - n, "%s%.*s=\"%.*s\"", n ? "," : "", (int) name,
                               names, value ? (int) value : 5, value ? values : "other");
        names += name + (names[name] != '\0');
        values += value + (values[value] != '\0');
    }
}

static void write_histogram(struct buf *out, size_t family, const struct series *s)
{
    const char *name = families[family].name;
    const double *bound = bounds[families[family].kind];
    char pairs[PAIRS], set[PAIRS + 4] = "";

    write_pairs(families[family].label, s->label, pairs);
    if (*pairs)
        snprintf(set, sizeof set, "{%s}", pairs);
    for (size_t i = 0; i < BUCKETS; i++)
        buf_printf(out, "%s_bucket{%s%sle=\"%g\"} %llu\n", name, pairs, *pairs ? "," : "", bound[i],
                   (unsigned long long) s->buckets[i]);
    buf_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, pairs, *pairs ? "," : "",
               (unsigned long long) s->count);
    buf_printf(out, "%s_sum%s %.15g\n%s_count%s %llu\n", name, set, s->value, name, set,
               (unsigned long long) s->count);
}

static void write_family(struct buf *out, size_t family)
{
    const char *name = families[family].name, *label = families[family].label;
    enum kind kind = families[family].kind;
    bool plain = kind == COUNTER || kind == COUNTER_REAL || kind == GAUGE;

    buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, families[family].help, name,
               kind == GAUGE ? "gauge"
               : plain       ? "counter"
                             : "histogram");
    if (plain && !label && used[family] == 0)
        buf_printf(out, "%s 0\n", name);
    for (size_t i = 0; i < used[family]; i++) {
        const struct series *s = &table[family][i];
        char pairs[PAIRS];

        write_pairs(label, s->label, pairs);
        if (!plain)
            write_histogram(out, family, s);
        else if (*pairs)
            buf_printf(out, "%s{%s} %.15g\n", name, pairs, s->value);
        else
            buf_printf(out, "%s %.15g\n", name, s->value);
    }
}

void metric_write(struct buf *out)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < METRIC_COUNT; i++)
        write_family(out, i);
    pthread_mutex_unlock(&lock);
}
