#include "recovery/image_repair/fax_mend.h"

#include <string.h>

#include "image/codec/ccitt_lines.h"

#define IMAGE_MAX (32U << 20)
#define WORK      64U  /* bits read of all that is tried, for each bit of the data */
#define LINE      64U  /* bits that cost as much as beginning a line */
#define ONES      6    /* in a row: they may be white lines */
#define EOL       11   /* zeros before a one */
#define TAIL_BITS 120U /* codes of the end, and what fills the last bytes */
#define REST_BITS 30U  /* what is too short to say more: fill, and a line end of the file */
#define PROOF     2000 /* bits that read well up to other damage */
#define PROOF_T4  3    /* lines that do; each of them has the right width */

struct reading {
    const uint8_t *data;
    size_t n;
    const struct fax *fax;
    struct ccitt_lines *lines;
    size_t stride, work;
    bool has_codes; /* a code that is nothing else in front of each line */
    struct buf *out;
};

static unsigned bit_at(const struct reading *r, size_t bit)
{
    return bit / 8 < r->n ? (unsigned) r->data[bit / 8] >> (7 - bit % 8) & 1 : 0;
}

/* How many bits from here on are the same, up to a limit. */
static size_t run_at(const struct reading *r, size_t bit, unsigned value, size_t most)
{
    size_t n = 0;

    while (n < most && bit + n < r->n * 8 && bit_at(r, bit + n) == value)
        n++;
    return n;
}

/* Whether nothing but the end comes here. */
static bool is_end(const struct reading *r, size_t bit)
{
    size_t zeros = run_at(r, bit, 0, TAIL_BITS);

    return bit + REST_BITS >= r->n * 8 || (bit + TAIL_BITS >= r->n * 8 && zeros >= EOL);
}

static void paint(const uint32_t *changes, size_t n, uint8_t *row)
{
    for (size_t i = 0; i < n; i += 2)
        for (uint32_t x = changes[i]; x < changes[i + 1];) {
            if (x % 8 == 0 && changes[i + 1] - x >= 8) {
                row[x / 8] = 0xff;
                x += 8;
            } else {
                row[x / 8] |= (uint8_t) (0x80 >> x % 8);
                x++;
            }
        }
}

static bool spend(struct reading *r, size_t bits)
{
    r->work -= bits < r->work ? bits : r->work;
    return r->work > 0;
}

struct part {
    size_t rows, end; /* lines, and the bit after them */
    bool ended;       /* the data ends there */
};

/* Reads lines from a bit on, at most `most`, and appends them to the output if `put`. */
static struct part read_part(struct reading *r, size_t bit, size_t most, bool put)
{
    struct part part = { 0, bit, false };

    ccitt_lines_seek(r->lines, bit);
    while (part.rows < most && spend(r, LINE)) {
        const uint32_t *changes;
        size_t n_changes;

        if ((r->has_codes && run_at(r, part.end, 0, EOL) < EOL) ||
            !ccitt_lines_next(r->lines, &changes, &n_changes))
            break;
        if (put) {
            uint8_t *row = buf_room(r->out, r->stride);

            if (!row)
                break;
            memset(row, 0, r->stride);
            paint(changes, n_changes, row);
            buf_added(r->out, r->stride);
        }
        spend(r, ccitt_lines_at(r->lines) - part.end);
        part.end = ccitt_lines_at(r->lines);
        part.rows++;
    }
    part.ended = is_end(r, part.end);
    return part;
}

/* Where white lines of T.6 may begin. */
static size_t next_white(const struct reading *r, size_t bit)
{
    for (; bit + ONES < r->n * 8; bit++)
        if (run_at(r, bit, 1, ONES) == ONES)
            return bit;
    return SIZE_MAX;
}

/* Where a line of T.4 begins that is coded by itself. */
static size_t next_line(const struct reading *r, size_t bit)
{
    while (bit + EOL + 2 < r->n * 8) {
        size_t zeros = run_at(r, bit, 0, SIZE_MAX);

        if (zeros >= EOL && (r->fax->k == 0 || bit_at(r, bit + zeros + 1)))
            return bit;
        bit += zeros + 1;
    }
    return SIZE_MAX;
}

/* The next bit from which lines can be read: those that lead to the end are the surest. SIZE_MAX:
 * there is none. */
static size_t synchronise(struct reading *r, size_t bit, size_t most)
{
    size_t best = SIZE_MAX, bits = PROOF;
    bool two = r->fax->k < 0;

    while (r->work > 0) {
        struct part part;

        bit = two ? next_white(r, bit) : next_line(r, bit);
        if (bit == SIZE_MAX)
            break;
        part = read_part(r, bit, most, false);
        if (part.rows > 0 && (part.ended || (!two && part.rows >= PROOF_T4)))
            return bit;
        if (two && part.end - bit > bits) {
            best = bit;
            bits = part.end - bit;
        }
        bit += two ? run_at(r, bit, 1, SIZE_MAX) : 1;
    }
    return best;
}

static void insert_rows(struct reading *r, size_t at, size_t n)
{
    size_t bytes = n * r->stride, rest = r->out->len - at;
    char *room = bytes ? buf_room(r->out, bytes) : NULL;

    if (!room)
        return;
    memmove(r->out->data + at + bytes, r->out->data + at, rest);
    memset(r->out->data + at, 0, bytes);
    buf_added(r->out, bytes);
}

static void drop_rows(struct reading *r, size_t at, size_t n)
{
    size_t bytes = n * r->stride, left = r->out->len - at;

    bytes = bytes < left ? bytes : left;
    memmove(r->out->data + at, r->out->data + at + bytes, left - bytes);
    r->out->len -= bytes;
}

/* All parts, one after the other. *gap: in bytes of the output, where the first of them ends.
 * Returns whether the last one leads to the end. */
static bool read_parts(struct reading *r, struct part part, size_t *gap, size_t *rows)
{
    size_t most = r->fax->rows;

    *gap = r->out->len;
    *rows = part.rows;
    while (!part.ended) {
        size_t bit = synchronise(r, part.end + 1, most);

        if (bit == SIZE_MAX)
            return false;
        part = read_part(r, bit, most, true);
        *rows += part.rows;
        if (part.rows == 0 || *rows > 2 * most)
            return false;
    }
    return true;
}

static enum fax_state mend(struct reading *r, size_t *lost)
{
    size_t from = r->out->len, want = r->fax->rows, gap, rows;
    struct part part = read_part(r, 0, want, true);
    bool ended;

    if (part.rows == want || part.ended || r->out->failed)
        return r->out->failed ? FAX_HOPELESS : FAX_SOUND;
    ended = read_parts(r, part, &gap, &rows);
    if (r->out->failed || rows == 0 || (rows == part.rows && part.rows < want / 50))
        return FAX_HOPELESS;
    *lost = rows < want ? want - rows : 0;
    if (rows < want)
        insert_rows(r, ended ? gap : r->out->len, want - rows);
    else if (ended)
        drop_rows(r, gap, rows - want);
    else
        r->out->len = from + want * r->stride;
    return r->out->failed || r->out->len != from + want * r->stride ? FAX_HOPELESS : FAX_MENDED;
}

enum fax_state fax_mend(const uint8_t *data, size_t n, const struct fax *fax, struct buf *out,
                        size_t *lost)
{
    struct ccitt_read how = { fax->k, fax->byte_aligned };
    AUTO_CCITT_LINES struct ccitt_lines *lines = NULL;
    struct reading r = { data,
                         n,
                         fax,
                         NULL,
                         ((size_t) fax->width + 7) / 8,
                         n * 8 * WORK + (size_t) fax->rows * 4 * LINE,
                         false,
                         out };
    size_t from = out->len;
    enum fax_state state;

    *lost = 0;
    if (n == 0 || fax->width == 0 || fax->width > UINT16_MAX || fax->rows == 0 ||
        r.stride > IMAGE_MAX / fax->rows)
        return FAX_HOPELESS;
    r.lines = lines = ccitt_lines_open(data, n, &how, fax->width);
    r.has_codes = fax->k >= 0 && run_at(&r, 0, 0, EOL) == EOL;
    state = lines ? mend(&r, lost) : FAX_HOPELESS;
    if (state != FAX_MENDED)
        out->len = from;
    return state;
}
