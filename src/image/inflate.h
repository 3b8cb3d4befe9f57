/* inflate: zlib streams (RFC 1950) that are whole in memory, in one go: twice as fast as by pieces.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What a stream holds, to be freed, and how much that is. What follows the stream is passed over.
 * NULL: it is damaged or incomplete, holds more than `most` bytes, or there is no memory. */
uint8_t *inflate_all(const void *data, size_t n, size_t most, size_t *n_out);
