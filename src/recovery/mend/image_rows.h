/* image_rows: puts the rows of an image whose packed data was damaged in their places. */
#pragma once

#include "recovery/inflate_repair/zstream.h"
#include "recovery/objects/objects.h"

/* Whether the decoded data of an object with this dictionary can have this size. It can have any
 * if it is not an image whose rows have a known size. */
bool image_rows_may_be(const struct objects *objects, struct text dict, size_t size);

/*
 * `plain`: what was recovered of the n bytes of packed data of an object with this dictionary, and
 * `scars`, where it was damaged. If the dictionary is that of an image whose rows have a known
 * size, they are recovered once more with the right number of bytes
 * (recovery/image_repair/rows_gap.h, recovery/image_repair/rows_mend.h), at most max, and `plain`
 * is replaced. False when out of memory.
 */
bool image_rows_mend(const struct objects *objects, struct text dict, const unsigned char *data,
                     size_t n, size_t max, const struct zstream_scars *scars, struct buf *plain);
