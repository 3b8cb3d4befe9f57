#include "image/codec/jpx_boxes.h"

#include <string.h>

#include "base/octets.h"

#define HEAD 8 /* bytes of a box before its content: length and type */

/* The next box of this type. Boxes of more than 4 GiB are not looked at (I.4). */
static bool find_box(const uint8_t *data, size_t n, size_t *at, const char *type,
                     const uint8_t **content, size_t *n_content)
{
    while (n - *at >= HEAD) {
        const uint8_t *box = data + *at;
        size_t length = octets_be32(box);

        if (length == 0)
            length = n - *at;
        if (length < HEAD || length > n - *at)
            return false;
        *at += length;
        if (memcmp(box + 4, type, 4) == 0) {
            *content = box + HEAD;
            *n_content = length - HEAD;
            return true;
        }
    }
    return false;
}

bool jpx_boxes_profile(const uint8_t *data, size_t n, const uint8_t **profile, size_t *n_profile)
{
    const uint8_t *header, *colours;
    size_t at = 0, n_header, n_colours;

    if (!find_box(data, n, &at, "jp2h", &header, &n_header))
        return false;
    at = 0;
    while (find_box(header, n_header, &at, "colr", &colours, &n_colours))
        /* The first byte is the method: 2 is a restricted profile, 3 any (I.5.3.3). */
        if (n_colours > 3 && (colours[0] == 2 || colours[0] == 3)) {
            *profile = colours + 3;
            *n_profile = n_colours - 3;
            return true;
        }
    return false;
}
