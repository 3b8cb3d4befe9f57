/*
 * jpeg_mend: repairs JPEG images (ITU-T T.81) that are broken in the middle, at the end or in their
 * headers: baseline ones here, progressive ones by jpeg_progressive.
 *
 * After damage the Huffman codes are searched for the next place from where MCUs can be read;
 * restart markers are such places by themselves. What was read is copied bit for bit, with the
 * first DC coefficients changed where the damage took what they are relative to, and gaps are
 * filled with even blocks: every decoder reads the result without an error.
 */
#pragma once

#include "recovery/image_repair/jpeg_state.h"

/* Checks an image of n bytes, and appends a repaired one to `out` if it is damaged. Work and memory
 * are bounded by the size of the data and of the image. */
enum jpeg_state jpeg_mend(const unsigned char *data, size_t n, const struct jpeg_hint *hint,
                          struct buf *out, struct jpeg_mended *mended);
