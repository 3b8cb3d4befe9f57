/*
 * jpeg_progressive: repairs progressive JPEG images (ITU-T T.81, annex G).
 *
 * Each scan is read on its own: damage in one does not reach the next one's data, but bits of
 * coefficients that are added later can only be read where it is known which are not 0. In the
 * first scan of a coefficient, the blocks after damage are moved to their places (jpeg_align). In a
 * later scan, which adds a bit, a position is searched from which reading ends where the scan ends
 * (jpeg_refine). Blocks that are not found keep what earlier scans gave. The result is
 * a baseline image.
 */
#pragma once

#include "recovery/image_repair/jpeg_state.h"

/* Like jpeg_mend, for an image whose head says that it is progressive. */
enum jpeg_state jpeg_progressive_mend(const struct jpeg_head *head, const unsigned char *data,
                                      size_t n, const struct jpeg_hint *hint, struct buf *out,
                                      struct jpeg_mended *mended);
