#include "image/import/png_passes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/num.h"
#include "base/scope.h"
#include "image/import/image_file.h"
#include "syntax/inflate/flate.h"

/* up to this size everything is in memory, which is three times as fast */
#define AT_ONCE     ((size_t) 128 << 20)
#define WINDOW      ((size_t) 64 << 10)
#define PNG_FILTERS 5

static int damaged(struct err *err)
{
    return err_set(err, ERR_CORRUPT_FILE,
                   "its data is damaged, or not as much as its width and height need");
}

/* Checks the filter numbers while rows are inflated. */
struct rows {
    const struct png_pass *passes;
    size_t n_passes;
    size_t pass, row;
    size_t left; /* bytes left of the current row */
};

static bool feed(struct rows *r, const uint8_t *data, size_t n)
{
    while (n) {
        if (r->left == 0) {
            while (r->pass < r->n_passes && r->row == r->passes[r->pass].rows) {
                r->pass++;
                r->row = 0;
            }
            if (r->pass == r->n_passes || *data >= PNG_FILTERS)
                return false;
            r->row++;
            r->left = r->passes[r->pass].bytes + 1;
        }
        size_t part = n < r->left ? n : r->left;
        data += part;
        n -= part;
        r->left -= part;
    }
    return true;
}

static int check_at_once(const struct iovec *pieces, size_t n_pieces, size_t total,
                         struct rows *rows, struct err *err)
{
    AUTO_FREE uint8_t *out = malloc(total);
    AUTO_BUF struct buf joined = BUF_EMPTY;
    const void *in = pieces[0].iov_base;
    size_t n = pieces[0].iov_len;

    if (n_pieces > 1) {
        for (size_t i = 0; i < n_pieces; i++)
            buf_put(&joined, pieces[i].iov_base, pieces[i].iov_len);
        in = joined.data;
        n = joined.len;
    }
    if (!out || joined.failed)
        return image_no_memory(err);
    if (!flate_unpack(in, n, out, total) || !feed(rows, out, total))
        return damaged(err);
    return 0;
}

static int check_piecewise(const struct iovec *pieces, size_t n_pieces, size_t total,
                           struct rows *rows, struct err *err)
{
    AUTO_FREE uint8_t *window = malloc(WINDOW);
    z_stream z = { 0 };
    size_t out = 0, next = 0;
    int got = Z_OK;

    if (!window || inflateInit(&z) != Z_OK)
        return image_no_memory(err);
    while (got == Z_OK && out <= total) {
        if (z.avail_in == 0 && next < n_pieces) {
            z.next_in = pieces[next].iov_base;
            z.avail_in = (uInt) pieces[next++].iov_len;
        }
        z.next_out = window;
        z.avail_out = WINDOW;
        got = inflate(&z, Z_NO_FLUSH);
        if (got == Z_BUF_ERROR && z.avail_in == 0 && next < n_pieces)
            got = Z_OK;
        out += WINDOW - z.avail_out;
        if (out <= total && !feed(rows, window, WINDOW - z.avail_out))
            got = Z_DATA_ERROR;
    }
    inflateEnd(&z);
    return got == Z_STREAM_END && out == total ? 0 : damaged(err);
}

int png_passes_check(const struct iovec *pieces, size_t n_pieces, const struct png_pass *passes,
                     size_t n_passes, struct err *err)
{
    struct rows rows = { .passes = passes, .n_passes = n_passes };
    size_t total = 0;

    for (size_t i = 0; i < n_passes; i++) {
        size_t bytes;

        if (!num_mul(passes[i].rows, passes[i].bytes + 1, &bytes) || !num_add(total, bytes, &total))
            return image_no_memory(err);
    }
    if (n_pieces == 0 || total == 0)
        return damaged(err);
    if (total <= AT_ONCE)
        return check_at_once(pieces, n_pieces, total, &rows, err);
    return check_piecewise(pieces, n_pieces, total, &rows, err);
}
