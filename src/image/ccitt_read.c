#include "image/ccitt_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define CODE_BITS 13 /* of the longest code of a run */

enum colour { WHITE, BLACK };

/* By the next CODE_BITS bits: the run they begin with, and the length of its code (0: none). */
struct run_code {
    uint16_t run;
    uint8_t bits;
};

static const struct {
    enum colour colour;
    uint16_t run;
    const char *code;
} codes[] = {
#define CODE(colour, run, code) { colour, run, code },
#include "image/ccitt_codes.def"
#undef CODE
};

struct reader {
    const uint8_t *data;
    size_t n;
    size_t at;                               /* in bits */
    struct run_code (*runs)[1 << CODE_BITS]; /* by colour */
    uint32_t *above, *line; /* where the colour changes, and then the width, twice */
    size_t n_line;
    uint32_t width;
};

static uint32_t peek(const struct reader *r, unsigned bits)
{
    uint32_t value = 0;

    for (size_t i = r->at / 8; i < r->at / 8 + 4; i++)
        value = value << 8 | (i < r->n ? r->data[i] : 0);
    return value << r->at % 8 >> (32 - bits);
}

static void make_runs(struct run_code (*runs)[1 << CODE_BITS])
{
    memset(runs, 0, 2 * sizeof *runs);
    for (size_t i = 0; i < COUNT(codes); i++) {
        size_t bits = strlen(codes[i].code), rest = CODE_BITS - bits;
        size_t first = strtoul(codes[i].code, NULL, 2) << rest;

        for (size_t k = 0; k < (size_t) 1 << rest; k++)
            runs[codes[i].colour][first + k] = (struct run_code){ codes[i].run, (uint8_t) bits };
    }
}

/* A whole run: make-up codes and the one that ends it. */
static bool read_run(struct reader *r, enum colour colour, uint32_t *length)
{
    const struct run_code *code;

    *length = 0;
    do {
        code = &r->runs[colour][peek(r, CODE_BITS)];
        if (code->bits == 0 || r->at >= r->n * 8)
            return false;
        r->at += code->bits;
        *length += code->run;
        if (*length > r->width)
            return false;
    } while (code->run >= 64);
    return true;
}

static bool change_at(struct reader *r, uint32_t x)
{
    if (x > r->width || r->n_line > r->width || (r->n_line > 0 && x < r->line[r->n_line - 1]))
        return false;
    r->line[r->n_line++] = x;
    return true;
}

static bool read_line_1d(struct reader *r)
{
    uint32_t x = 0, length;

    for (enum colour colour = WHITE; x < r->width; colour = !colour) {
        if (!read_run(r, colour, &length) || length > r->width - x)
            return false;
        x += length;
        if (!change_at(r, x))
            return false;
    }
    return true;
}

/* Vertical modes (T.4, table 4): how far from the change above; 0: another mode. */
static int read_vertical(struct reader *r, int *offset)
{
    static const struct {
        uint8_t bits, code;
        int offset;
    } modes[] = { { 1, 1, 0 },  { 3, 3, 1 }, { 3, 2, -1 }, { 6, 3, 2 },
                  { 6, 2, -2 }, { 7, 3, 3 }, { 7, 2, -3 } };

    for (size_t i = 0; i < COUNT(modes); i++)
        if (peek(r, modes[i].bits) == modes[i].code) {
            r->at += modes[i].bits;
            *offset = modes[i].offset;
            return 1;
        }
    return 0;
}

static bool read_line_2d(struct reader *r)
{
    uint32_t x = 0, first, second;
    size_t b = 0; /* in the line above: the first change right of x, to the other colour */
    enum colour colour = WHITE;
    bool begun = false;
    int offset;

    while (x < r->width) {
        while (b > 0 && r->above[b - 1] > x)
            b--;
        while (r->above[b] < r->width && (r->above[b] < x || (begun && r->above[b] == x)))
            b++;
        if (r->above[b] < r->width && b % 2 != (size_t) colour)
            b++;
        if (r->at >= r->n * 8)
            return false;
        if (read_vertical(r, &offset)) {
            int64_t to = (int64_t) r->above[b] + offset;

            if (to < x || to > r->width || !change_at(r, (uint32_t) to))
                return false;
            x = (uint32_t) to;
            colour = !colour;
        } else if (peek(r, 3) == 1) { /* horizontal */
            r->at += 3;
            if (!read_run(r, colour, &first) || !read_run(r, !colour, &second) ||
                first > r->width - x || second > r->width - x - first || !change_at(r, x + first) ||
                !change_at(r, x + first + second))
                return false;
            x += first + second;
        } else if (peek(r, 4) == 1) { /* pass */
            r->at += 4;
            x = r->above[b] < r->width ? r->above[b + 1] : r->width;
        } else {
            return false;
        }
        begun = true;
    }
    return true;
}

static void paint(const struct reader *r, struct bitmap *out, size_t y)
{
    uint8_t *row = out->data + y * out->stride;

    for (size_t i = 0; i < r->n_line; i += 2)
        for (uint32_t x = r->line[i]; x < (i + 1 < r->n_line ? r->line[i + 1] : r->width); x++)
            row[x / 8] |= (uint8_t) (0x80 >> x % 8);
}

/* Eleven zeros or more and a one. */
static bool skip_eol(struct reader *r)
{
    size_t at = r->at;

    while (r->at < r->n * 8 && peek(r, 1) == 0)
        r->at++;
    if (r->at - at >= 11 && r->at < r->n * 8) {
        r->at++;
        return true;
    }
    r->at = at;
    return false;
}

static bool read_line(struct reader *r, const struct ccitt_read *how)
{
    uint32_t *swap = r->above;

    r->above = r->line;
    r->line = swap;
    for (size_t i = 0; i < 3; i++)
        r->above[r->n_line + i] = r->width;
    r->n_line = 0;
    if (how->k >= 0)
        skip_eol(r);
    if (how->byte_aligned)
        r->at = (r->at + 7) & ~(size_t) 7;
    if (how->k > 0)
        r->at++;
    if (how->k < 0 || (how->k > 0 && !(r->data[(r->at - 1) / 8] >> (7 - (r->at - 1) % 8) & 1)))
        return read_line_2d(r);
    return read_line_1d(r);
}

bool ccitt_read(const uint8_t *data, size_t n, const struct ccitt_read *how, struct bitmap *out)
{
    AUTO_FREE struct run_code(*runs)[1 << CODE_BITS] = calloc(2, sizeof *runs);
    AUTO_FREE uint32_t *changes = calloc(2 * (out->width + 8), sizeof *changes);
    struct reader r = { .data = data, .n = n, .runs = runs, .width = (uint32_t) out->width };

    if (!runs || !changes || !bitmap_new(out, out->width, out->height))
        return false;
    r.above = changes;
    r.line = changes + out->width + 8;
    make_runs(runs);
    for (size_t y = 0; y < out->height; y++) {
        if (r.at >= n * 8 || !read_line(&r, how)) {
            bitmap_free(out);
            return false;
        }
        paint(&r, out, y);
    }
    return true;
}
