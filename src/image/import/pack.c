#include "image/import/pack.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "image/import/image_file.h"
#include "syntax/inflate/flate.h"

#define Z_LEVEL 3 /* of zlib, for large pictures */
/* limit of the filtered bytes that are compressed at once; larger pictures are compressed row by
 * row */
#define AT_ONCE ((size_t) 96 << 20)
#define WINDOW  ((size_t) 64 << 10)

enum filter { FILTER_NONE, FILTER_SUB, FILTER_UP, FILTER_AVERAGE, FILTER_PAETH };

int pack_start(struct pack *p, struct buf *out, uint32_t width, uint32_t height, unsigned bits,
               bool indexed, struct err *err)
{
    size_t total;

    *p = (struct pack){ .out = out, .plain = indexed || bits < 8 };
    p->row_bytes = ((size_t) width * bits + 7) / 8;
    p->pixel_bytes = bits < 8 ? 1 : bits / 8;
    if (!num_mul(p->row_bytes + 1, height, &total))
        return image_no_memory(err);
    p->piecewise = total > AT_ONCE;
    if (p->piecewise && deflateInit(&p->z, Z_LEVEL) != Z_OK) {
        p->piecewise = false;
        return image_no_memory(err);
    }
    p->rows = malloc(p->piecewise ? p->row_bytes + 1 : total);
    p->previous = calloc(1, p->row_bytes);
    p->trial[0] = malloc(p->row_bytes);
    p->trial[1] = malloc(p->row_bytes);
    if (!p->rows || !p->previous || !p->trial[0] || !p->trial[1])
        return image_no_memory(err);
    return 0;
}

static uint8_t paeth(int a, int b, int c)
{
    int pa = abs(b - c), pb = abs(a - c), pc = abs(a + b - 2 * c);

    return (uint8_t) (pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

static void filter_row(enum filter filter, const uint8_t *restrict row, const uint8_t *restrict up,
                       uint8_t *restrict out, size_t n, size_t back)
{
    size_t i, head = back < n ? back : n;

    switch (filter) {
    case FILTER_NONE:
        memcpy(out, row, n);
        return;
    case FILTER_SUB:
        memcpy(out, row, head);
        for (i = head; i < n; i++)
            out[i] = (uint8_t) (row[i] - row[i - back]);
        return;
    case FILTER_UP:
        for (i = 0; i < n; i++)
            out[i] = (uint8_t) (row[i] - up[i]);
        return;
    case FILTER_AVERAGE:
        for (i = 0; i < head; i++)
            out[i] = (uint8_t) (row[i] - up[i] / 2);
        for (; i < n; i++)
            out[i] = (uint8_t) (row[i] - (row[i - back] + up[i]) / 2);
        return;
    case FILTER_PAETH:
        for (i = 0; i < head; i++)
            out[i] = (uint8_t) (row[i] - up[i]);
        for (; i < n; i++)
            out[i] = (uint8_t) (row[i] - paeth(row[i - back], up[i], up[i - back]));
        return;
    }
}

/* The usual estimate of how well a row compresses (ISO/IEC 15948, 12.8): the sum of the absolute
 * values of its bytes as signed numbers. */
static uint64_t cost(const uint8_t *row, size_t n)
{
    uint64_t sum = 0;

    for (size_t at = 0; at < n;) {
        size_t end = n - at > 4096 ? at + 4096 : n;
        uint32_t part = 0;

        for (; at < end; at++)
            part += row[at] < 128 ? row[at] : 256U - row[at];
        sum += part;
    }
    return sum;
}

/* Chooses a filter and writes the row with it to `out`, 1 + row_bytes. */
static void choose_filter(struct pack *p, const uint8_t *row, uint8_t *out)
{
    size_t n = p->row_bytes;
    uint64_t best = UINT64_MAX;

    if (p->plain) {
        *out = FILTER_NONE;
        memcpy(out + 1, row, n);
        return;
    }
    for (int f = FILTER_PAETH; f >= FILTER_NONE; f--) {
        uint64_t now;

        filter_row((enum filter) f, row, p->previous, p->trial[0], n, p->pixel_bytes);
        now = cost(p->trial[0], n);
        if (now < best) {
            uint8_t *swap = p->trial[0];

            best = now;
            *out = (uint8_t) f;
            p->trial[0] = p->trial[1];
            p->trial[1] = swap;
        }
    }
    memcpy(out + 1, p->trial[1], n);
    memcpy(p->previous, row, n);
}

static int compress_piece(struct pack *p, const uint8_t *data, size_t n, int flush, struct err *err)
{
    int got;

    p->z.next_in = (uint8_t *) (uintptr_t) data;
    p->z.avail_in = (uInt) n;
    do {
        p->z.next_out = buf_room(p->out, WINDOW);
        p->z.avail_out = WINDOW;
        if (!p->z.next_out)
            return image_no_memory(err);
        got = deflate(&p->z, flush);
        buf_added(p->out, WINDOW - p->z.avail_out);
    } while (p->z.avail_in || (flush == Z_FINISH && got == Z_OK));
    return 0;
}

int pack_row(struct pack *p, const uint8_t *row, struct err *err)
{
    if (p->piecewise) {
        choose_filter(p, row, p->rows);
        return compress_piece(p, p->rows, p->row_bytes + 1, Z_NO_FLUSH, err);
    }
    choose_filter(p, row, p->rows + p->at);
    p->at += p->row_bytes + 1;
    return 0;
}

int pack_finish(struct pack *p, struct err *err)
{
    if (p->piecewise)
        return compress_piece(p, NULL, 0, Z_FINISH, err);
    return flate_pack(p->rows, p->at, FLATE_FAST, p->out) ? 0 : image_no_memory(err);
}

void pack_free(struct pack *p)
{
    if (p->piecewise)
        deflateEnd(&p->z);
    free(p->rows);
    free(p->previous);
    free(p->trial[0]);
    free(p->trial[1]);
    *p = (struct pack){ 0 };
}
