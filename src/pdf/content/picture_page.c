#include "pdf/content/picture_page.h"

#include <fcntl.h>

#include "base/fdio.h"
#include "base/scope.h"
#include "pdf/content/album.h"

static int write_page(int fd, int64_t bytes, const char *scratch, struct placement *placement,
                      struct err *err)
{
    const struct placement_rules rules = { .paper.fit = true };
    AUTO_ALBUM struct album album = { .writer = { .fd = -1 } };
    AUTO_IMAGE_FILE struct image_file *opened = image_open(fd, bytes, err);
    struct image image;
    int got = opened ? image_next(opened, &image, err) : -1;
    unsigned picture;

    if (got == 0)
        return err_set(err, ERR_CORRUPT_FILE, "it holds no picture");
    if (got < 0 || album_open(&album, scratch, err) < 0)
        return -1;
    picture = album_picture(&album, &image, err);
    if (picture == 0 || placement_make(&image, &rules, placement, err) < 0 ||
        album_page(&album, picture, placement, err) < 0)
        return -1;
    return album_finish(&album, scratch, err);
}

int picture_page_open(struct pdf_doc *doc, int fd, int64_t bytes, const char *scratch,
                      double *width, double *height, struct err *err)
{
    AUTO_BUF struct buf written = BUF_EMPTY;
    AUTO_CLOSE int made = -1;
    struct placement placement;

    if (write_page(fd, bytes, scratch, &placement, err) < 0)
        return -1;
    *width = placement.width;
    *height = placement.height;
    made = open(scratch, O_RDONLY | O_CLOEXEC);
    if (made < 0)
        return err_sys(err, "read the picture");
    if (fdio_read_all(made, SIZE_MAX / 2, &written, err) < 0 ||
        pdf_doc_open_memory(doc, &written, NULL, err) < 0)
        return -1;
    doc->repaired = false;
    return 0;
}
