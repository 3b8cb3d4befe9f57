#include "base/base64.h"

#include <nettle/base64.h>
#include <stdint.h>
#include <string.h>

void base64_put(const void *data, size_t n, struct buf *out)
{
    size_t length = BASE64_ENCODE_RAW_LENGTH(n);
    char *room = buf_room(out, length);

    if (!room)
        return;
    base64_encode_raw(room, n, data);
    buf_added(out, length);
}

bool base64_read(const char *text, size_t n, void *out, size_t cap, size_t *got)
{
    struct base64_decode_ctx ctx;

    /* Every four letters give three bytes. The room is checked here because nettle does not know
     * it. */
    if (n % 4 != 0 || n / 4 * 3 > cap + 2 || memchr(text, '\0', n))
        return false;
    for (size_t i = 0; i < n; i++) /* nettle skips white space, which is not base64 here */
        if (strchr(" \t\r\n\v\f", text[i]))
            return false;
    *got = 0;
    base64_decode_init(&ctx);
    for (size_t i = 0; i < n; i++) {
        uint8_t byte;
        int done = base64_decode_single(&ctx, &byte, text[i]);

        if (done < 0 || (done == 1 && *got == cap))
            return false;
        if (done == 1)
            ((uint8_t *) out)[(*got)++] = byte;
    }
    return base64_decode_final(&ctx) == 1;
}
