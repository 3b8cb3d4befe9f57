/* jpeg_effort: charges the work of decoding a JPEG image to the job (base/effort.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct jpeg_decompress_struct;

struct jpeg_effort {
    size_t bytes;   /* size of the image's data; set before it is read */
    int scans;      /* number of scans charged so far */
    double charged; /* units */
};

/*
 * For libjpeg's progress monitor. Charges the scans that have begun since the last call: each needs
 * time for every block of its components, even where one code ends thousands of blocks (ITU-T T.81,
 * G.1.2.2). False: the job's budget is used up.
 */
bool jpeg_effort_spend(struct jpeg_effort *effort, const struct jpeg_decompress_struct *in);
