/* scans: how many scans a JPEG image of a document has (ITU-T T.81), without decoding it. Each
 * takes its time, however short it is. */
#pragma once

#include <stddef.h>

#include "pdf/obj.h"

/* How often the data have the marker of a scan. */
size_t scans_count(const unsigned char *data, size_t n);
/* The same of a stream whose filters are DCTDecode, or FlateDecode and that; 0 for any other. */
size_t scans_of(struct obj stream);
