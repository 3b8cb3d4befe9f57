#include "recovery/inflate_repair/zstream.h"

#include <stdlib.h>
#include <string.h>

#include "recovery/inflate_repair/huffman.h"
#include "syntax/inflate/flate.h"
#include "syntax/inflate/inflate.h"

#define TRY_COST 4096 /* of one try, however small */

struct limited {
    size_t size, max; /* decoded bytes so far, and how many there may be */
};

static bool count_bytes(void *arg, const unsigned char *piece, size_t n)
{
    struct limited *l = arg;

    (void) piece;
    l->size += n;
    return l->size <= l->max;
}

bool zstream_sound(const unsigned char *data, size_t n, size_t max, size_t *size)
{
    struct limited l = { 0, max };
    bool sound = inflate_each(data, n, INFLATE_ZLIB, count_bytes, &l) == INFLATE_WHOLE;

    *size = l.size;
    return sound;
}

void zstream_spend(size_t *effort, size_t bytes)
{
    *effort -= bytes < *effort ? bytes : *effort;
}

bool zstream_try(const unsigned char *data, size_t n, size_t max, size_t *effort)
{
    size_t size;
    bool sound;

    if (*effort == 0)
        return false;
    sound = zstream_sound(data, n, max, &size);
    zstream_spend(effort, size + n + TRY_COST);
    return sound;
}

bool zstream_unpack(const unsigned char *data, size_t n, size_t max, struct buf *out)
{
    return inflate_bytes(data, n, max, out);
}

bool zstream_pack(const void *data, size_t n, struct buf *out)
{
    return flate_pack(data, n, FLATE_QUICK, out);
}
