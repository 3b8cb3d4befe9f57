/* jpeg_edge: the first and the last row of samples of a block, computed from its coefficients
 * (ITU-T T.81, A.3.3). Blocks that are neighbours in the image have similar edges. */
#pragma once

#include <stdint.h>

#define JPEG_EDGE 8 /* samples of an edge */

struct jpeg_edge_sums {
    float top[JPEG_EDGE], bottom[JPEG_EDGE]; /* by horizontal frequency */
};

/* Adds the coefficient that is the k-th in zigzag order, k < 64. */
void jpeg_edge_add(struct jpeg_edge_sums *sums, int k, int coefficient);
/* Computes the samples of an edge, before the level shift: 0 is middle gray. */
void jpeg_edge_samples(const float sums[JPEG_EDGE], float samples[JPEG_EDGE]);
