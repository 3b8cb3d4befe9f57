/*
 * ccitt_lines: decodes CCITT fax images of one bit (ITU-T T.4 and T.6) as PDF has them (ISO
 * 32000-2, 7.4.6), line by line, as the positions where the colour changes. Strict: it stops at
 * damaged data.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ccitt_read {
    int k; /* below 0: two-dimensional (T.6); 0: one-dimensional; above 0: mixed */
    bool byte_aligned;
};

struct ccitt_lines;

/* Begins to decode an image of this width. `data` must live until the end. NULL: out of memory. */
struct ccitt_lines *ccitt_lines_open(const uint8_t *data, size_t n, const struct ccitt_read *how,
                                     uint32_t width);
void ccitt_lines_close(struct ccitt_lines *lines);

static inline void ccitt_lines_scope(struct ccitt_lines **lines)
{
    ccitt_lines_close(*lines);
}
#define AUTO_CCITT_LINES __attribute__((cleanup(ccitt_lines_scope)))

/* Decodes the next line, which is valid until the next call: black from changes[0] to
 * changes[1], from changes[2] to changes[3] and so on, in ascending order. After the last of the
 * n follow two that equal the width. False: the data is damaged or has ended. */
bool ccitt_lines_next(struct ccitt_lines *lines, const uint32_t **changes, size_t *n);

/* Returns the position of the next line in bits from the start of the data; beyond the end if the
 * data ended within a line. */
size_t ccitt_lines_at(const struct ccitt_lines *lines);
/* Continues at the bit with this number, as if the line before had been white. */
void ccitt_lines_seek(struct ccitt_lines *lines, size_t bit);
