/* range: the Range header (RFC 9110, section 14) for one range of bytes. */
#pragma once

#include <stdint.h>

enum range {
    RANGE_NONE, /* no header, another unit, several ranges: the whole is sent */
    RANGE_PART, /* *first and *length say which bytes */
    RANGE_BAD,  /* it lies outside: 416 */
};

/* `header` may be NULL; `total` is the size of the whole. */
enum range range_parse(const char *header, int64_t total, int64_t *first, int64_t *length);
