/*
 * rows_mend: puts the rows of an image with PNG's filters (PNG, 9.2; ISO 32000-1, 7.4.4.4) back
 * where they belong, after damaged data was decoded to too few or too many bytes: without that, a
 * decoder reads samples as the filter types of all rows after the damage.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct rows {
    size_t bytes; /* of a row, without the type of its filter */
    size_t n;
};

/*
 * Appends rows->n rows: what is before the damage as it is, what is after it from where there are
 * types of filters again, so that the last row ends where the data ends if that is possible. Rows
 * that are lost are like the one above. False, and nothing is appended: the data has the right
 * size, or the beginnings of rows cannot be found.
 */
bool rows_mend(const unsigned char *data, size_t n, const struct rows *rows, struct buf *out);
