#include "image/codec/jpeg_effort.h"

#include <stdio.h> /* jpeglib.h needs it */

#include <jpeglib.h>

#include "base/effort.h"

#define BLOCK 25.0 /* units of one block in one scan */

static double scan_units(const struct jpeg_decompress_struct *in)
{
    double blocks = 0;

    for (int i = 0; i < in->comps_in_scan; i++)
        blocks += (double) in->cur_comp_info[i]->width_in_blocks *
                  (double) in->cur_comp_info[i]->height_in_blocks;
    return blocks * BLOCK;
}

bool jpeg_effort_spend(struct jpeg_effort *effort, const struct jpeg_decompress_struct *in)
{
    double paid = EFFORT_BYTE * (double) effort->bytes, before = effort->charged;

    if (in->input_scan_number <= effort->scans)
        return true;
    effort->scans = in->input_scan_number;
    effort->charged += scan_units(in);
    return effort_spend(effort->charged - (before > paid ? before : paid));
}
