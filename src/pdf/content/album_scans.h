/* album_scans: makes a PDF of the pictures in a file, each as a page of its own size, as scans of
 * paper. The data of the pictures is not changed (image/import/image.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct album_scans {
    bool icc_dropped, endless; /* of any of the pictures, as of struct image */
};

/* Makes it of the file `fd` in the file at `path`. A picture that does not say its resolution, or
 * that of a screen, is as long as A4. Errors as of image_open and image_next. */
int album_scans_make(int fd, int64_t bytes, const char *path, struct album_scans *scans,
                     struct err *err);
