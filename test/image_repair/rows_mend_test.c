/* tests of src/recovery/image_repair/rows_mend.c: rows with filter types, some bytes of them lost
 * or added.
 */
#include "recovery/image_repair/rows_mend.h"

#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "tap.h"

#define BYTES 90U
#define SIZE  (BYTES + 1U)
#define ROWS  60U

static const struct rows rows = { BYTES, ROWS };

/* Rows that begin with types 0 to 4, and differ from each other. */
static void make(struct buf *out)
{
    unsigned state = 5;

    for (unsigned row = 0; row < ROWS; row++) {
        buf_putc(out, (char) (row % 5));
        for (unsigned i = 0; i < BYTES; i++) {
            state = state * 1664525U + 1013904223U;
            buf_putc(out, (char) (5 + (state >> 16) % 250));
        }
    }
}

/* Without `lost` bytes from `at` on, and with `added` others. How many rows are where they were,
 * -1: nothing was made, -2: they are not as many. */
static int kept(size_t at, size_t lost, size_t added)
{
    AUTO_BUF struct buf whole = BUF_EMPTY, data = BUF_EMPTY, out = BUF_EMPTY;
    AUTO_FREE unsigned char *exact = NULL;
    int n = 0;

    make(&whole);
    buf_put(&data, whole.data, at);
    for (size_t i = 0; i < added; i++)
        buf_putc(&data, (char) (100 + i));
    buf_put(&data, whole.data + at + lost, whole.len - at - lost);
    exact = malloc(data.len);
    memcpy(exact, data.data, data.len);
    if (!rows_mend(exact, data.len, &rows, &out))
        return -1;
    if (out.len != whole.len)
        return -2;
    for (size_t row = 0; row < ROWS; row++)
        n += memcmp(out.data + row * SIZE, whole.data + row * SIZE, SIZE) == 0;
    return n;
}

int main(void)
{
    is_int(kept(20 * SIZE + 30, 0, 0), -1, "rows that are whole are not changed");
    is_int(kept(20 * SIZE + 30, 1, 0), ROWS - 1, "a byte lost is one row lost");
    is_int(kept(20 * SIZE + 30, 0, 1), ROWS - 1, "so is a byte added");
    is_int(kept(20 * SIZE + 30, 40, 0), ROWS - 1, "and part of a row");
    is_int(kept(20 * SIZE + 30, 3 * SIZE + 8, 0), ROWS - 4, "of three rows and more the rest is");
    is_int(kept(20 * SIZE + 30, 4 * SIZE, 2), ROWS - 5, "rows that are missing stay missing");
    is_int(kept(40 * SIZE, 20 * SIZE, 0), -1, "where the end is missing nothing is moved");
    return done_testing();
}
