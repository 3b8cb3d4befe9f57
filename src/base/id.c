#include "base/id.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"

void id_random(void *out, size_t n)
{
    unsigned char *p = out;

    while (n) {
        ssize_t got = getrandom(p, n < 256 ? n : 256, 0);

        if (got <= 0)
            abort();
        p += got;
        n -= (size_t) got;
    }
}

void id_new(char out[static ID_TEXT])
{
    uint64_t ms = (uint64_t) clock_wall_ms();
    unsigned char r[10];

    id_random(r, sizeof r);
    snprintf(out, ID_TEXT, "%08x-%04x-7%03x-%02x%02x-%02x%02x%02x%02x%02x%02x",
             (unsigned) (ms >> 16 & 0xffffffff), (unsigned) (ms & 0xffff),
             (unsigned) (r[0] << 4 | r[1] >> 4) & 0xfffu, (unsigned) (r[2] & 0x3f) | 0x80u, r[3],
             r[4], r[5], r[6], r[7], r[8], r[9]);
}

bool id_is_valid(const char *text)
{
    static const char shape[] = "xxxxxxxx-xxxx-7xxx-xxxx-xxxxxxxxxxxx";

    for (size_t i = 0; i < sizeof shape; i++) {
        bool fits = shape[i] == 'x' ? text[i] && strchr("0123456789abcdef", text[i]) != NULL
                                    : text[i] == shape[i];
        if (!fits)
            return false;
    }
    return true;
}

void id_secret(char *out, size_t n)
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    for (size_t i = 0; i < n;) {
        unsigned char r[64];

        id_random(r, sizeof r);
        for (size_t k = 0; k < sizeof r && i < n; k++)
            if (r[k] < 248) /* 4 * 62: without this some letters would be more frequent than
                             * others */
                out[i++] = alphabet[r[k] % 62];
    }
    out[n] = '\0';
}
