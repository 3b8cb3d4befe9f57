#include "pdf/scans.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/scope.h"

#define PIECE 65536
#define START 0xda /* of a scan, after 0xff */

size_t scans_count(const unsigned char *data, size_t n)
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

/* The same of what zlib data unpacks to: pieces overlap by a byte, as a marker may lie across. */
static size_t count_packed(const unsigned char *data, size_t n)
{
    unsigned char piece[PIECE + 1] = { 0 };
    z_stream z = { 0 };
    size_t scans = 0;
    int end = Z_OK;

    if (n > UINT32_MAX || inflateInit(&z) != Z_OK)
        return 0;
    z.next_in = (unsigned char *) (uintptr_t) data; /* only read */
    z.avail_in = (uInt) n;
    while (end == Z_OK) {
        size_t got;

        z.next_out = piece + 1;
        z.avail_out = PIECE;
        end = inflate(&z, Z_NO_FLUSH);
        got = PIECE - z.avail_out;
        if (got == 0)
            break;
        scans += scans_count(piece, got + 1);
        piece[0] = piece[got];
    }
    inflateEnd(&z);
    return scans;
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
    return packed ? count_packed(data, n) : scans_count(data, n);
}
