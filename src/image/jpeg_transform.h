/* jpeg_transform: blocks of samples as rounded coefficients (ITU-T T.81, A.3.3 and A.3.4). */
#pragma once

#include "image/jpeg_tables.h"

/* `samples`: 8 rows of 8; coefficients come by columns (jpeg_tables.h), as multiples of their
 * quantization step. `middle`: what is nothing among the samples. Which of them are not 0, in
 * zigzag order. Both are aligned to 16 bytes. */
uint64_t jpeg_transform(const struct jpeg_tables *tables, int table,
                        const float samples[JPEG_BLOCK], float middle,
                        int coefficients[JPEG_BLOCK]);
