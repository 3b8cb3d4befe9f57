#include "pdf/object/scans.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/scope.h"
#include "syntax/inflate/inflate.h"

#define START 0xda /* of a scan, after 0xff */

/* Counts the scan markers in the data. */
static size_t count_plain(const unsigned char *data, size_t n)
{
    const unsigned char *p = data, *end;
    size_t scans = 0;

    if (n == 0)
        return 0;
    end = data + n;
    while (p < end && (p = memchr(p, 0xff, (size_t) (end - p))) != NULL && ++p < end)
        scans += *p == START;
    return scans;
}

struct counting {
    size_t scans;
    unsigned char last; /* byte of the piece before, as a marker may lie across two */
};

static bool count_scans(void *arg, const unsigned char *piece, size_t n)
{
    struct counting *c = arg;

    c->scans += (c->last == 0xff && *piece == START) + count_plain(piece, n);
    c->last = piece[n - 1];
    return true;
}

/* The same of what zlib data unpacks to. */
static size_t count_packed(const unsigned char *data, size_t n)
{
    struct counting c = { 0 };

    inflate_each(data, n, INFLATE_ZLIB, count_scans, &c);
    return c.scans;
}

size_t scans_of(struct obj stream)
{
    AUTO_OBJ struct obj filter = obj_key(stream, "/Filter");
    AUTO_OBJ struct obj first = obj_is_array(filter) ? obj_item(filter, 0) : obj_same(filter);
    AUTO_OBJ struct obj second = obj_is_array(filter) ? obj_item(filter, 1) : OBJ_NONE;
    bool packed = obj_name_is(first, "/FlateDecode");
    AUTO_FREE unsigned char *data = NULL;
    size_t n;

    if (!(packed ? second.q && obj_name_is(second, "/DCTDecode")
                 : obj_name_is(first, "/DCTDecode")) ||
        !obj_stream_raw(stream, &data, &n))
        return 0;
    return packed ? count_packed(data, n) : count_plain(data, n);
}
