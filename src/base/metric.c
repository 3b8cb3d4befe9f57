#include "base/metric.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
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

#define SERIES 256
struct series {
    char label[64];       /* written before the series is counted in `used` */
    _Atomic double value; /* of a histogram: the sum */
    /* not cumulative; the last one counts values above all bounds */
    atomic_uint_fast64_t buckets[BUCKETS + 1];
};

/* Counting needs no lock: series are only ever added, and each figure is atomic. */
static struct series table[METRIC_COUNT][SERIES];
static atomic_size_t used[METRIC_COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* held to add a series */

static struct series *find_series(enum metric metric, const char *label)
{
    size_t n = atomic_load_explicit(&used[metric], memory_order_acquire);

    for (size_t i = 0; i < n; i++)
        if (strcmp(table[metric][i].label, label) == 0)
            return &table[metric][i];
    return n == SERIES ? &table[metric][SERIES - 1] : NULL;
}

static struct series *series_of(enum metric metric, const char *label)
{
    struct series *s = find_series(metric, label ? label : "");

    if (s)
        return s;
    pthread_mutex_lock(&lock);
    s = find_series(metric, label ? label : ""); /* another thread may have added it meanwhile */
    if (!s) {
        size_t n = atomic_load(&used[metric]);

        s = &table[metric][n];
        snprintf(s->label, sizeof s->label, "%s", n + 1 == SERIES ? "other" : label ? label : "");
        atomic_store_explicit(&used[metric], n + 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return s;
}

static void add_amount(_Atomic double *sum, double amount)
{
    double old = atomic_load_explicit(sum, memory_order_relaxed);

    while (!atomic_compare_exchange_weak_explicit(sum, &old, old + amount, memory_order_relaxed,
                                                  memory_order_relaxed))
        ;
}

void metric_add(enum metric metric, const char *label, double amount)
{
    add_amount(&series_of(metric, label)->value, amount);
}

void metric_set(enum metric metric, double value)
{
    atomic_store_explicit(&series_of(metric, NULL)->value, value, memory_order_relaxed);
}

void metric_observe(enum metric metric, const char *label, double value)
{
    const double *bound = bounds[families[metric].kind];
    struct series *s = series_of(metric, label);
    size_t i = 0;

    while (i < BUCKETS && value > bound[i])
        i++;
    add_amount(&s->value, value);
    atomic_fetch_add_explicit(&s->buckets[i], 1, memory_order_relaxed);
}

#define PAIRS 160

/* Writes names "tool,end" and values "rotate,completed" as tool="rotate",end="completed"; a
 * missing value becomes "other". */
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

static void write_histogram(struct buf *out, size_t family, struct series *s)
{
    const char *name = families[family].name;
    const double *bound = bounds[families[family].kind];
    char pairs[PAIRS], set[PAIRS + 4] = "";
    unsigned long long count = 0;

    write_pairs(families[family].label, s->label, pairs);
    if (*pairs)
        snprintf(set, sizeof set, "{%s}", pairs);
    /* The total is the sum of the buckets, so that both agree even while others count. */
    for (size_t i = 0; i <= BUCKETS; i++) {
        count += atomic_load_explicit(&s->buckets[i], memory_order_relaxed);
        if (i < BUCKETS)
            buf_printf(out, "%s_bucket{%s%sle=\"%g\"} %llu\n", name, pairs, *pairs ? "," : "",
                       bound[i], count);
    }
    buf_printf(out, "%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, pairs, *pairs ? "," : "", count);
    buf_printf(out, "%s_sum%s %.15g\n%s_count%s %llu\n", name, set, atomic_load(&s->value), name,
               set, count);
}

static void write_family(struct buf *out, size_t family)
{
    const char *name = families[family].name, *label = families[family].label;
    enum kind kind = families[family].kind;
    size_t n = atomic_load_explicit(&used[family], memory_order_acquire);
    bool plain = kind == COUNTER || kind == COUNTER_REAL || kind == GAUGE;

    buf_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, families[family].help, name,
               kind == GAUGE ? "gauge"
               : plain       ? "counter"
                             : "histogram");
    if (plain && !label && n == 0)
        buf_printf(out, "%s 0\n", name);
    for (size_t i = 0; i < n; i++) {
        struct series *s = &table[family][i];
        char pairs[PAIRS];

        write_pairs(label, s->label, pairs);
        if (!plain)
            write_histogram(out, family, s);
        else if (isnan(atomic_load(&s->value))) /* not known now */
            continue;
        else if (*pairs)
            buf_printf(out, "%s{%s} %.15g\n", name, pairs, atomic_load(&s->value));
        else
            buf_printf(out, "%s %.15g\n", name, atomic_load(&s->value));
    }
}

void metric_each(enum metric metric, void (*each)(void *arg, const char *label, double value),
                 void *arg)
{
    size_t n = atomic_load_explicit(&used[metric], memory_order_acquire);

    for (size_t i = 0; i < n; i++)
        each(arg, table[metric][i].label, atomic_load(&table[metric][i].value));
}

void metric_write(struct buf *out)
{
    for (size_t i = 0; i < METRIC_COUNT; i++)
        write_family(out, i);
}
