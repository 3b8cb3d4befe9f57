/* scans: counts the scans of a JPEG image (ITU-T T.81) in a document, without decoding it. Each
 * costs time, however short it is. */
#pragma once

#include <stddef.h>

#include "pdf/object/obj.h"

/* Counts the scan markers of a stream whose filters are DCTDecode, or FlateDecode and DCTDecode; 0
 * for any other. */
size_t scans_of(struct obj stream);
