/* scans: counts the scans of a JPEG image (ITU-T T.81) in a document, without decoding it. Each
 * costs time, however short it is. */
#pragma once

#include <stddef.h>

#include "pdf/obj.h"

/* Counts the scan markers in the data. */
size_t scans_count(const unsigned char *data, size_t n);
/* The same for a stream whose filters are DCTDecode, or FlateDecode and DCTDecode; 0 for any
 * other. */
size_t scans_of(struct obj stream);
