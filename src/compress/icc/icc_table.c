#include "compress/icc/icc_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/scope.h"

#define INPUTS     4
#define OUTPUTS    3
#define CURVE      256 /* entries of a curve of 8 bits */
#define POINTS     9   /* along each input */
#define MAX_POINTS 33
#define LEAST_THIN 17     /* points along each input that a thinned table has */
#define MAX_TABLE  200000 /* points of a grid */
#define MEAN_OFF   1.0    /* of Lab */
#define MOST_OFF   5.0
#define IDENTITY   0.004 /* how far a curve may stray from its diagonal */
#define HEAD8      48    /* bytes before the curves: lut8Type */
#define HEAD16     52    /* and lut16Type */

struct table {
    unsigned inputs, points;
    double curves[INPUTS][CURVE]; /* of 0 to 1 */
    float *grid; /* of 0 to 255, OUTPUTS to a point; the last input changes fastest */
    size_t n_points;
};

static bool is_identity(const uint8_t *p, size_t entries, bool wide)
{
    for (size_t i = 0; i < entries; i++) {
        double value = wide ? octets_be16(p + 2 * i) / 65535.0 : p[i] / 255.0;

        if (fabs(value - (double) i / (double) (entries - 1)) > IDENTITY)
            return false;
    }
    return true;
}

static double curve_at(const uint8_t *p, size_t entries, bool wide, double x)
{
    double at = x * (double) (entries - 1);
    size_t low = (size_t) at, high = low + 1 < entries ? low + 1 : low;
    double a = wide ? octets_be16(p + 2 * low) / 65535.0 : p[low] / 255.0;
    double b = wide ? octets_be16(p + 2 * high) / 65535.0 : p[high] / 255.0;

    return a + (b - a) * (at - (double) low);
}

static size_t power(size_t base, unsigned exponent)
{
    size_t n = 1;

    while (exponent-- > 0)
        n *= base;
    return n;
}

/* Where the parts of a table lie. False if it is not as long as it says. */
struct parts {
    const uint8_t *in, *grid, *out;
    size_t in_entries, out_entries;
    bool wide;
};

static bool find_parts(const uint8_t *p, size_t n, struct table *t, struct parts *parts)
{
    size_t bytes, head;

    parts->wide = n >= HEAD16 && memcmp(p, "mft2", 4) == 0;
    if (n < HEAD16 || (!parts->wide && memcmp(p, "mft1", 4) != 0))
        return false;
    t->inputs = p[8];
    t->points = p[10];
    if ((t->inputs != 3 && t->inputs != INPUTS) || p[9] != OUTPUTS || t->points < 2 ||
        t->points > MAX_POINTS)
        return false;
    parts->in_entries = parts->wide ? octets_be16(p + 48) : CURVE;
    parts->out_entries = parts->wide ? octets_be16(p + 50) : CURVE;
    bytes = parts->wide ? 2 : 1;
    head = parts->wide ? HEAD16 : HEAD8;
    t->n_points = power(t->points, t->inputs);
    if (t->n_points > MAX_TABLE || parts->in_entries < 2 || parts->out_entries < 2 ||
        n < head + bytes * (parts->in_entries * t->inputs + t->n_points * OUTPUTS +
                            parts->out_entries * OUTPUTS))
        return false;
    parts->in = p + head;
    parts->grid = parts->in + bytes * parts->in_entries * t->inputs;
    parts->out = parts->grid + bytes * t->n_points * OUTPUTS;
    return true;
}

/* Only tables whose results are Lab as they stand in the grid. */
static bool read_table(const uint8_t *p, size_t n, struct table *t)
{
    struct parts parts;
    size_t bytes;

    if (!find_parts(p, n, t, &parts))
        return false;
    bytes = parts.wide ? 2 : 1;
    for (size_t i = 0; i < OUTPUTS; i++)
        if (!is_identity(parts.out + bytes * parts.out_entries * i, parts.out_entries, parts.wide))
            return false;
    for (size_t i = 0; i < t->inputs; i++)
        for (size_t k = 0; k < CURVE; k++)
            t->curves[i][k] = curve_at(parts.in + bytes * parts.in_entries * i, parts.in_entries,
                                       parts.wide, (double) k / (CURVE - 1));
    t->grid = calloc(t->n_points * OUTPUTS, sizeof *t->grid);
    /* 0xff00 of 16 bits means what 0xff of 8 bits does (ICC.1:2001-04, A.2). */
    for (size_t i = 0; t->grid && i < t->n_points * (size_t) OUTPUTS; i++)
        t->grid[i] = parts.wide ? (float) (octets_be16(parts.grid + 2 * i) / 256.0) : parts.grid[i];
    return t->grid != NULL;
}

/* The colour of a place in the grid, each coordinate of 0 to 1, between points by all of them
 * around. */
static void look_up(const struct table *t, const double *place, double *colour)
{
    size_t low[INPUTS], step[INPUTS], stride = 1;
    double part[INPUTS];

    for (unsigned i = t->inputs; i-- > 0;) {
        double at = place[i] * (t->points - 1);

        low[i] = (size_t) at;
        if (low[i] > t->points - 2)
            low[i] = t->points - 2;
        part[i] = at - (double) low[i];
        step[i] = stride;
        stride *= t->points;
    }
    colour[0] = colour[1] = colour[2] = 0;
    for (unsigned corner = 0; corner < 1U << t->inputs; corner++) {
        double weight = 1;
        size_t index = 0;

        for (unsigned i = 0; i < t->inputs; i++) {
            unsigned high = corner >> i & 1;

            weight *= high ? part[i] : 1 - part[i];
            index += (low[i] + high) * step[i];
        }
        for (size_t c = 0; weight > 0 && c < OUTPUTS; c++)
            colour[c] += weight * (double) t->grid[index * OUTPUTS + c];
    }
}

static void place_of(size_t index, unsigned inputs, unsigned points, double *place)
{
    for (unsigned i = inputs; i-- > 0; index /= points)
        place[i] = (double) (index % points) / (points - 1);
}

/* The same colours at fewer points, as whole numbers. */
static bool reduce(const struct table *from, struct table *to)
{
    to->inputs = from->inputs;
    to->points = from->points < POINTS ? from->points : POINTS;
    to->n_points = power(to->points, to->inputs);
    memcpy(to->curves, from->curves, sizeof to->curves);
    to->grid = calloc(to->n_points * OUTPUTS, sizeof *to->grid);
    for (size_t i = 0; to->grid && i < to->n_points; i++) {
        double place[INPUTS], colour[OUTPUTS];

        place_of(i, to->inputs, to->points, place);
        look_up(from, place, colour);
        for (size_t c = 0; c < OUTPUTS; c++)
            to->grid[i * OUTPUTS + c] = (float) fmin(255, floor(colour[c] + 0.5));
    }
    return to->grid != NULL;
}

static bool is_near(const struct table *from, const struct table *to)
{
    double sum = 0;

    for (size_t i = 0; i < from->n_points; i++) {
        double place[INPUTS], colour[OUTPUTS], off = 0;

        place_of(i, from->inputs, from->points, place);
        look_up(to, place, colour);
        for (size_t c = 0; c < OUTPUTS; c++) {
            double d =
                (colour[c] - (double) from->grid[i * OUTPUTS + c]) * (c == 0 ? 100 / 255.0 : 1);

            off += d * d;
        }
        if (off > MOST_OFF * MOST_OFF)
            return false;
        sum += sqrt(off);
    }
    return sum <= MEAN_OFF * (double) from->n_points;
}

static void put_all(const uint8_t *table, const struct table *t, struct buf *out)
{
    uint8_t head[HEAD8];

    memcpy(head, table, HEAD8);
    memcpy(head, "mft1", 4);
    head[10] = (uint8_t) t->points;
    buf_put(out, head, HEAD8);
    for (size_t i = 0; i < t->inputs; i++)
        for (size_t k = 0; k < CURVE; k++)
            buf_putc(out, (char) (uint8_t) (t->curves[i][k] * 255 + 0.5));
    for (size_t i = 0; i < t->n_points * OUTPUTS; i++)
        buf_putc(out, (char) (uint8_t) t->grid[i]);
    for (size_t i = 0; i < (size_t) OUTPUTS * CURVE; i++)
        buf_putc(out, (char) (uint8_t) (i % CURVE));
}

bool icc_table_coarsen(const void *table, size_t n, struct buf *out)
{
    struct table from = { .grid = NULL }, to = { .grid = NULL };
    struct buf made = BUF_EMPTY;
    bool done = read_table(table, n, &from) && reduce(&from, &to) && is_near(&from, &to);

    if (done)
        put_all(table, &to, &made);
    done = done && !made.failed && made.len < n;
    if (done)
        buf_put(out, made.data, made.len);
    buf_free(&made);
    free(from.grid);
    free(to.grid);
    return done && !out->failed;
}

/* The parts of a table of three inputs: where its grid lies, and the bytes of a point. */
struct thin {
    size_t grid, points, point, end; /* end: where its curves for the results end */
};

static bool find_thin(const uint8_t *p, size_t n, struct thin *t)
{
    bool wide = n >= HEAD16 && memcmp(p, "mft2", 4) == 0;
    size_t bytes = wide ? 2 : 1, entries_in, entries_out;

    if (n < HEAD16 || (!wide && memcmp(p, "mft1", 4) != 0) || p[8] != 3 || p[9] < 1)
        return false;
    entries_in = wide ? octets_be16(p + 48) : CURVE;
    entries_out = wide ? octets_be16(p + 50) : CURVE;
    t->points = p[10];
    t->point = bytes * p[9];
    t->grid = (wide ? HEAD16 : HEAD8) + bytes * entries_in * 3;
    t->end = t->grid + power(t->points, 3) * t->point + bytes * entries_out * p[9];
    return t->end <= n;
}

bool icc_table_thin(const void *table, size_t n, struct buf *out)
{
    const uint8_t *p = table;
    struct thin t;
    size_t step = 1, points, after;

    if (!find_thin(p, n, &t))
        return false;
    while ((t.points - 1) % (2 * step) == 0 && (t.points - 1) / (2 * step) + 1 >= LEAST_THIN)
        step *= 2;
    if (step == 1)
        return false;
    points = (t.points - 1) / step + 1;
    buf_put(out, p, t.grid);
    if (out->failed)
        return false;
    out->data[out->len - t.grid + 10] = (char) points;
    for (size_t i = 0; i < points * points * points; i++) {
        size_t x = i / points / points * step, y = i / points % points * step,
               z = i % points * step;

        buf_put(out, p + t.grid + ((x * t.points + y) * t.points + z) * t.point, t.point);
    }
    after = t.grid + power(t.points, 3) * t.point;
    buf_put(out, p + after, t.end - after);
    return !out->failed;
}
