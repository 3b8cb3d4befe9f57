/* jpeg_state: what a repair of a JPEG image found. */
#pragma once

#include "recovery/image_repair/jpeg_head.h"

struct jpeg_mended {
    size_t mcus, lost; /* of the repaired image, and those of them that were not found */
    size_t work;       /* MCUs of all that was tried */
};

enum jpeg_state {
    JPEG_SOUND,
    JPEG_MENDED,   /* the output is the repaired image */
    JPEG_HOPELESS, /* nothing was found, or it is of another kind, such as arithmetic-coded */
};
