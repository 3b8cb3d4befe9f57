/* jpeg_effort: what it takes to decode a JPEG image, charged to the job (base/effort.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct jpeg_decompress_struct;

struct jpeg_effort {
    size_t bytes;   /* that the image has; set before it is read */
    int scans;      /* charged so far */
    double charged; /* units */
};

/*
 * For libjpeg's progress monitor. Charges the scans that were begun since the last call: each takes
 * its time for every block of its components, even where one code ends thousands of blocks
 * (ITU-T T.81, G.1.2.2). False: the job has no effort left for the image.
 */
bool jpeg_effort_spend(struct jpeg_effort *effort, const struct jpeg_decompress_struct *in);
