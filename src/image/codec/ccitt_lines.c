#include "image/codec/ccitt_lines.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"

#define CODE_BITS 13 /* length of the longest code of a run */
#define MODE_BITS 7  /* length of the longest code of a mode */
#define SPARE     8  /* room after the last change, for repetitions of the width */

enum colour { WHITE, BLACK };

/* Indexed by the next CODE_BITS bits: the run that they begin with, and the length of its code
 * (0: invalid). */
struct run_code {
    uint16_t run;
    uint8_t bits;
};

enum mode { NO_MODE, VERTICAL, HORIZONTAL, PASS };

/* Indexed by the next MODE_BITS bits (T.4, table 4). */
struct mode_code {
    uint8_t mode, bits;
    int8_t offset; /* of a vertical mode, from the change in the line above */
};

static const struct {
    enum colour colour;
    uint16_t run;
    const char *code;
} codes[] = {
#define CODE(colour, run, code) { colour, run, code },
#include "image/codec/ccitt_codes.def"
#undef CODE
};

static const struct {
    const char *code;
    struct mode_code mode;
} mode_codes[] = {
    { "1", { VERTICAL, 1, 0 } },        { "011", { VERTICAL, 3, 1 } },
    { "010", { VERTICAL, 3, -1 } },     { "000011", { VERTICAL, 6, 2 } },
    { "000010", { VERTICAL, 6, -2 } },  { "0000011", { VERTICAL, 7, 3 } },
    { "0000010", { VERTICAL, 7, -3 } }, { "001", { HORIZONTAL, 3, 0 } },
    { "0001", { PASS, 4, 0 } },
};

static struct run_code runs[2][1 << CODE_BITS]; /* by colour */
static struct mode_code modes[1 << MODE_BITS];
static pthread_once_t made = PTHREAD_ONCE_INIT;

struct ccitt_lines {
    struct ccitt_read how;
    const uint8_t *start, *at, *end; /* the data, and that of it that is not in `bits` yet */
    uint64_t bits;                   /* the next bits, from the highest on; zeros after the end */
    int n_bits;                      /* below 0: bits after the end were read */
    uint32_t width;
    uint32_t *above, *line; /* the positions of colour changes, followed by the width */
    size_t n_line;
    uint32_t changes[];
};

static void make_tables(void)
{
    for (size_t i = 0; i < COUNT(codes); i++) {
        size_t bits = strlen(codes[i].code), rest = CODE_BITS - bits;
        size_t first = strtoul(codes[i].code, NULL, 2) << rest;

        for (size_t k = 0; k < (size_t) 1 << rest; k++)
            runs[codes[i].colour][first + k] = (struct run_code){ codes[i].run, (uint8_t) bits };
    }
    for (size_t i = 0; i < COUNT(mode_codes); i++) {
        size_t rest = MODE_BITS - strlen(mode_codes[i].code);
        size_t first = strtoul(mode_codes[i].code, NULL, 2) << rest;

        for (size_t k = 0; k < (size_t) 1 << rest; k++)
            modes[first + k] = mode_codes[i].mode;
    }
}

/* Fills up to at least 32 bits, if there are as many. */
static inline void fill_bits(struct ccitt_lines *r)
{
    while (r->n_bits <= 56 && r->at < r->end) {
        r->bits |= (uint64_t) *r->at++ << (56 - r->n_bits);
        r->n_bits += 8;
    }
}

static inline uint32_t peek(const struct ccitt_lines *r, unsigned bits)
{
    return (uint32_t) (r->bits >> (64 - bits));
}

static inline void skip(struct ccitt_lines *r, unsigned bits)
{
    r->bits <<= bits;
    r->n_bits -= (int) bits;
}

/* Reads a whole run: make-up codes and the terminating code. */
static inline bool read_run(struct ccitt_lines *r, enum colour colour, uint32_t *length)
{
    struct run_code code;

    *length = 0;
    do {
        if (r->n_bits < 32)
            fill_bits(r);
        code = runs[colour][peek(r, CODE_BITS)];
        skip(r, code.bits);
        *length += code.run;
        if (code.bits == 0 || r->n_bits < 0 || *length > r->width)
            return false;
    } while (code.run >= 64);
    return true;
}

static inline bool change_at(struct ccitt_lines *r, uint32_t x)
{
    if (r->n_line > r->width)
        return false;
    r->line[r->n_line++] = x;
    return true;
}

static bool read_line_1d(struct ccitt_lines *r)
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

/* Reads two runs from x on. */
static inline bool read_pair(struct ccitt_lines *r, enum colour colour, uint32_t *x)
{
    for (int i = 0; i < 2; i++) {
        uint32_t length;

        if (!read_run(r, colour ^ (enum colour) i, &length) || length > r->width - *x)
            return false;
        *x += length;
        if (!change_at(r, *x))
            return false;
    }
    return true;
}

static bool read_line_2d(struct ccitt_lines *r)
{
    const uint32_t *above = r->above;
    enum colour colour = WHITE;
    uint32_t x = 0;
    /* index in the line above of the first change right of x to the opposite colour */
    size_t b = 0;

    while (x < r->width) {
        struct mode_code code;

        if (r->n_bits < 32)
            fill_bits(r);
        code = modes[peek(r, MODE_BITS)];
        skip(r, code.bits);
        if (code.mode == VERTICAL) {
            int64_t to = (int64_t) above[b] + code.offset;

            if (to < x || to > r->width || !change_at(r, (uint32_t) to))
                return false;
            x = (uint32_t) to;
            colour = !colour;
            b = code.offset < 0 && b > 0 ? b - 1 : b + 1;
        } else if (code.mode == HORIZONTAL) {
            if (!read_pair(r, colour, &x))
                return false;
        } else if (code.mode == PASS) {
            x = above[b + 1];
        }
        if (code.mode == NO_MODE || r->n_bits < 0)
            return false;
        while (above[b] <= x && x < r->width)
            b += 2;
    }
    return true;
}

/* Skips eleven or more zeros and a one, if they come next. */
static void skip_eol(struct ccitt_lines *r)
{
    struct ccitt_lines before = *r;
    size_t zeros = 0;

    for (fill_bits(r); r->n_bits > 0 && peek(r, 1) == 0; zeros++) {
        skip(r, 1);
        fill_bits(r);
    }
    if (zeros >= 11 && r->n_bits > 0) {
        skip(r, 1);
        return;
    }
    r->at = before.at;
    r->bits = before.bits;
    r->n_bits = before.n_bits;
}

static bool read_fax_line(struct ccitt_lines *r)
{
    bool two = r->how.k < 0;

    if (r->how.k >= 0)
        skip_eol(r);
    if (r->how.byte_aligned)
        skip(r, (unsigned) r->n_bits & 7);
    fill_bits(r);
    if (r->how.k > 0) {
        two = peek(r, 1) == 0;
        skip(r, 1);
    }
    return r->n_bits > 0 && (two ? read_line_2d(r) : read_line_1d(r));
}

bool ccitt_lines_next(struct ccitt_lines *r, const uint32_t **changes, size_t *n)
{
    uint32_t *swap = r->above;

    r->above = r->line;
    r->line = swap;
    r->n_line = 0;
    if (!read_fax_line(r))
        return false;
    for (size_t i = 0; i < SPARE / 2; i++)
        r->line[r->n_line + i] = r->width;
    *changes = r->line;
    *n = r->n_line;
    return true;
}

/* The line above the next one. */
static void put_white(struct ccitt_lines *r)
{
    for (size_t i = 0; i < SPARE / 2; i++)
        r->line[i] = r->width;
}

struct ccitt_lines *ccitt_lines_open(const uint8_t *data, size_t n, const struct ccitt_read *how,
                                     uint32_t width)
{
    size_t room = (size_t) width + SPARE;
    struct ccitt_lines *r = calloc(1, sizeof *r + 2 * room * sizeof *r->changes);

    if (!r)
        return NULL;
    pthread_once(&made, make_tables);
    r->how = *how;
    r->start = r->at = data;
    r->end = data + n;
    r->width = width;
    r->above = r->changes;
    r->line = r->changes + room;
    put_white(r);
    return r;
}

size_t ccitt_lines_at(const struct ccitt_lines *r)
{
    return (size_t) ((int64_t) (r->at - r->start) * 8 - r->n_bits);
}

void ccitt_lines_seek(struct ccitt_lines *r, size_t bit)
{
    size_t n = (size_t) (r->end - r->start);

    r->at = r->start + (bit / 8 < n ? bit / 8 : n);
    r->bits = 0;
    r->n_bits = 0;
    fill_bits(r);
    skip(r, bit % 8);
    put_white(r);
}

void ccitt_lines_close(struct ccitt_lines *lines)
{
    free(lines);
}
