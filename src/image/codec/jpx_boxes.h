/* jpx_boxes: what the boxes of a JPEG 2000 file say besides the image (ISO/IEC 15444-1, annex I).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the ICC profile of the image's colours, which stays within `data`. False if the file has
 * none, or is a bare code stream. */
bool jpx_boxes_profile(const uint8_t *data, size_t n, const uint8_t **profile, size_t *n_profile);
