/*
 * jpx_mend: repairs JPEG 2000 images (ISO/IEC 15444-1) that lost bytes, or have too many.
 *
 * The data of each tile is decoded until damage, and what was lost after it cannot be found again:
 * packets follow each other by lengths that only a decoder knows. But one byte that is missing
 * moves the beginning of all tiles after it, and readers then show nothing at all. So the tiles are
 * searched by their marker, and the lengths that lead to them made right.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends a repaired image of the n bytes at `data`. False: nothing is to be repaired, or nothing
 * can be. */
bool jpx_mend(const unsigned char *data, size_t n, struct buf *out);
