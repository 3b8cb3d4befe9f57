#include "image/format.h"
static int next(struct image_file *file, struct image *image, struct err *err)
{
    (void) image;
    return image_unsupported(file, err, "todo");
}
const struct image_format image_bmp = { "bmp", next, NULL };
