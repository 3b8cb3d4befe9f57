/*
 * metadata: shortens XMP packets (ISO 16684-1): removes white space between elements, the padding
 * for changes in place, and previews of pages (xmp:Thumbnails).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Appends the shorter packet, which has the same properties but for previews. False, and `out` must
 * be dropped, if the packet is not plain XML in an encoding like UTF-8, has parts in which white
 * space counts, or would not become shorter.
 */
bool metadata_shorten(const unsigned char *data, size_t n, struct buf *out);
