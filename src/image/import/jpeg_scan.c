#include "image/import/jpeg_scan.h"

#include <string.h>

#include "base/jpeg_marker.h"

#define BLOCK      8
#define MCU_BLOCKS 10 /* limit of an interleaved scan, B.2.3 */

/* The contents of one scan. */
struct scan {
    unsigned n; /* components */
    unsigned which[4];
    /* first, last: of the spectral selection; high, low: of the successive approximation */
    unsigned first, last, high, low;
};

static size_t divide_up(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

static const char *read_head(const struct jpeg_frame *f, const uint8_t *p, size_t n,
                             struct scan *scan)
{
    if (n < 1 || p[0] < 1 || p[0] > f->n || n < 4 + 2 * (size_t) p[0])
        return "a scan header is wrong";
    scan->n = p[0];
    scan->first = p[1 + 2 * scan->n];
    scan->last = p[2 + 2 * scan->n];
    scan->high = p[3 + 2 * scan->n] >> 4;
    scan->low = p[3 + 2 * scan->n] & 15;
    for (unsigned i = 0; i < scan->n; i++) {
        unsigned k = 0;

        while (k < f->n && f->components[k].id != p[1 + 2 * i])
            k++;
        if (k == f->n)
            return "a scan header is wrong";
        scan->which[i] = k;
    }
    return NULL;
}

/* The number of MCUs of the scan, and of blocks in an MCU (A.2). */
static size_t count_mcus(const struct jpeg_frame *f, const struct scan *scan, size_t *blocks)
{
    unsigned h = 1, v = 1;

    for (unsigned i = 0; i < f->n; i++) {
        h = f->components[i].h > h ? f->components[i].h : h;
        v = f->components[i].v > v ? f->components[i].v : v;
    }
    *blocks = 0;
    for (unsigned i = 0; i < scan->n; i++)
        *blocks += (size_t) f->components[scan->which[i]].h * f->components[scan->which[i]].v;
    if (scan->n > 1)
        return divide_up(f->width, (size_t) BLOCK * h) * divide_up(f->height, (size_t) BLOCK * v);
    const struct jpeg_component *c = &f->components[scan->which[0]];
    *blocks = 1;
    return divide_up(divide_up((size_t) f->width * c->h, h), BLOCK) *
           divide_up(divide_up((size_t) f->height * c->v, v), BLOCK);
}

/* Finds the end of the data and counts its restart markers; false if one is out of order. */
static bool measure_scan(const uint8_t *data, size_t n, size_t *bytes, size_t *restarts)
{
    size_t at = 0;

    *restarts = 0;
    while (at < n) {
        const uint8_t *ff = memchr(data + at, 0xff, n - at);

        if (!ff || (size_t) (ff - data) + 1 >= n)
            break;
        at = (size_t) (ff - data);
        unsigned code = ff[1];
        if (code >= JPEG_RST0 && code <= JPEG_RST7) {
            if (code - JPEG_RST0 != *restarts % 8)
                return false;
            ++*restarts;
        } else if (code == 0xff) {
            at++;
            continue;
        } else if (code != 0) {
            *bytes = at;
            return true;
        }
        at += 2;
    }
    *bytes = n;
    return true;
}

/* The least bits of a block: one code for its DC coefficient and one for the end of the others,
 * at least one bit each. A progressive scan of AC coefficients has no minimum: one code may end
 * thousands of blocks. */
static size_t least_bits(const struct jpeg_frame *f, const struct scan *scan)
{
    if (!f->progressive)
        return 2;
    return scan->first == 0 ? 1 : 0;
}

const char *jpeg_scan(struct jpeg_frame *f, const uint8_t *head, size_t n_head, const uint8_t *data,
                      size_t n)
{
    struct scan scan = { 0 };
    size_t bytes, restarts, blocks, mcus;
    const char *wrong = read_head(f, head, n_head, &scan);

    if (wrong)
        return wrong;
    mcus = count_mcus(f, &scan, &blocks);
    if (scan.n > 1 && blocks > MCU_BLOCKS)
        return "its sampling factors are wrong";
    if (!measure_scan(data, n, &bytes, &restarts))
        return "a part of its data is missing";
    if (mcus * blocks * least_bits(f, &scan) > 8 * bytes)
        return "it has less data than its width and height need";
    if (f->restart_interval) {
        size_t wanted = divide_up(mcus, f->restart_interval) - 1;

        /* Some writers add one more at the end. */
        if (restarts != wanted && restarts != wanted + 1)
            return "it has less data than its width and height need";
    }
    for (unsigned i = 0; i < scan.n; i++)
        if (scan.first == 0 && (!f->progressive || scan.high == 0))
            f->components[scan.which[i]].seen = true;
    for (unsigned i = 0; i < scan.n; i++)
        for (unsigned k = scan.first; k <= scan.last && k < 64; k++)
            f->components[scan.which[i]].exact[k] |= scan.low == 0;
    return NULL;
}

bool jpeg_is_complete(const struct jpeg_frame *f)
{
    if (jpeg_missing(f))
        return false;
    for (unsigned i = 0; f->progressive && i < f->n; i++)
        for (unsigned k = 0; k < 64; k++)
            if (!f->components[i].exact[k])
                return false;
    return true;
}

const char *jpeg_missing(const struct jpeg_frame *f)
{
    for (unsigned i = 0; i < f->n; i++)
        if (!f->components[i].seen)
            return "the data of a component is missing";
    return NULL;
}
