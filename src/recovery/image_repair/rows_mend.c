#include "recovery/image_repair/rows_mend.h"

#include <string.h>

#define TYPE_MAX  4U /* PNG's filters: none, sub, up, average, Paeth */
#define TYPE_UP   2
#define PROOF     6U /* rows whose filter types are right: it is not by chance */
#define SEARCH    4U /* rows of data that may be wrong at once */
#define IMAGE_MAX (256U << 20)

struct reading {
    const unsigned char *data;
    size_t n, size; /* bytes: of the data, and of a row with its filter type */
    const struct rows *rows;
    struct buf *out;
    size_t row; /* the next one */
};

/* Whether the rows from here on have filter types that there are. */
static bool is_row(const struct reading *r, size_t at)
{
    size_t i = 0;

    for (; i < PROOF && at < r->n; i++, at += r->size)
        if (r->data[at] > TYPE_MAX)
            return false;
    return i > 0;
}

static void put_lost(struct reading *r, size_t rows)
{
    for (; rows > 0; rows--, r->row++) {
        void *room;

        buf_putc(r->out, TYPE_UP);
        room = buf_room(r->out, r->rows->bytes);
        if (room)
            memset(room, 0, r->rows->bytes);
        buf_added(r->out, room ? r->rows->bytes : 0);
    }
}

/* Where rows begin again after the damaged one at `at`: preferably so that the last one ends where
 * the data ends. 0: nowhere near. */
static size_t find_row(const struct reading *r, size_t at)
{
    size_t to = at + SEARCH * r->size < r->n ? at + SEARCH * r->size : r->n;
    size_t by_end = at + 1 + (r->n - at - 1) % r->size;

    for (; by_end < to; by_end += r->size)
        if (is_row(r, by_end))
            return by_end;
    for (size_t distance = 0; distance < SEARCH * r->size; distance++) {
        size_t after = at + r->size + distance;

        if (after < to && is_row(r, after))
            return after;
        if (distance < r->size - 1 && at + r->size - distance < to &&
            is_row(r, at + r->size - distance))
            return at + r->size - distance;
    }
    return 0;
}

static bool mend_rows(struct reading *r)
{
    size_t at = 0, synchronised = 0;

    while (r->row < r->rows->n && at + r->size <= r->n) {
        size_t next = at + r->size, left;

        if (r->data[at] <= TYPE_MAX && (next >= r->n || r->data[next] <= TYPE_MAX)) {
            buf_put(r->out, r->data + at, r->size);
            r->row++;
            at = next;
            continue;
        }
        next = find_row(r, at);
        if (next == 0)
            break;
        left = (r->n - next) / r->size;
        synchronised++;
        if ((r->n - next) % r->size == 0 && left < r->rows->n - r->row)
            put_lost(r, r->rows->n - left - r->row);
        else
            put_lost(r, 1);
        at = next;
    }
    put_lost(r, r->rows->n - r->row);
    return synchronised > 0;
}

bool rows_mend(const unsigned char *data, size_t n, const struct rows *rows, struct buf *out)
{
    struct reading r = { data, n, rows->bytes + 1, rows, out, 0 };
    size_t before = out->len;

    if (rows->bytes == 0 || rows->n < 2 || rows->bytes > IMAGE_MAX / rows->n || n < 2 * r.size ||
        n == r.size * rows->n || n / r.size < rows->n / 4)
        return false;
    if (mend_rows(&r))
        return !out->failed;
    out->len = before;
    return false;
}
