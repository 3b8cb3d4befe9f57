/* range: parses the Range header (RFC 9110, section 14) for one range of bytes. */
#pragma once

#include <stdint.h>

enum range {
    RANGE_NONE, /* no header, another unit, or several ranges: everything is sent */
    RANGE_PART, /* *first and *length are the requested bytes */
    RANGE_BAD,  /* the range is outside of the file: 416 */
};

/* Parses a header, which may be NULL, for a file of `total` bytes. */
enum range range_parse(const char *header, int64_t total, int64_t *first, int64_t *length);
