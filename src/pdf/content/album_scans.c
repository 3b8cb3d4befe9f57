#include "pdf/content/album_scans.h"

#include <math.h>

#include "pdf/content/album.h"

#define LONG_SIDE 11.69 /* of A4, in inches */
#define DPI_MOST  600.0

/* Sets a resolution for paper where the picture has none, or that of a screen. */
static void set_resolution(struct image *image)
{
    double side = fmax(image->width, image->height);

    if (image->dpi_x > PLACEMENT_DPI && image->dpi_y > PLACEMENT_DPI)
        return;
    image->dpi_x = image->dpi_y = fmin(fmax(side / LONG_SIDE, PLACEMENT_DPI), DPI_MOST);
}

static int add_scans(struct album *album, struct image_file *file, struct album_scans *scans,
                     struct err *err)
{
    static const struct placement_rules rules = { .paper = { .fit = true } };
    struct image image;
    int got;

    while ((got = image_next(file, &image, err)) > 0) {
        unsigned picture = album_picture(album, &image, err);
        struct placement placement;

        set_resolution(&image);
        if (picture == 0 || placement_make(&image, &rules, &placement, err) < 0 ||
            album_page(album, picture, &placement, err) < 0)
            return -1;
        scans->icc_dropped |= image.icc_dropped;
        scans->endless |= image.endless;
    }
    return got;
}

int album_scans_make(int fd, int64_t bytes, const char *path, struct album_scans *scans,
                     struct err *err)
{
    AUTO_IMAGE_FILE struct image_file *file = image_open(fd, bytes, err);
    AUTO_ALBUM struct album album = { .writer = { .fd = -1 } };

    *scans = (struct album_scans){ 0 };
    if (!file || album_open(&album, path, err) < 0 || add_scans(&album, file, scans, err) < 0)
        return -1;
    return album_finish(&album, path, err);
}
