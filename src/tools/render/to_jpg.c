/* to-jpg: pages as JPEG pictures, or the pictures that are in them. */
#include <string.h>

#include "declare/tool/tool.h"
#include "engine/page_image/image_extract.h"
#include "engine/page_image/page_drawing.h"
#include "engine/page_image/page_image.h"
#include "image/encode/jpeg_writer.h"

struct params {
    int64_t dpi;
    const char *pages;
    int64_t quality;
    const char *color;
    bool annotations;
    const char *mode;
    const char *inputPassword;
};

static const char *const colors[] = { "rgb", "gray", NULL };
static const char *const modes[] = { "pages", "extract", NULL };

static const struct param params[] = {
    INT(struct params, dpi, "Resolution: pixels an inch of the page.", .preset = "150",
        .min = PAGE_DPI_MIN, .max = PAGE_DPI_MAX),
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    INT(struct params, quality, "From 1, small, to 100, close to the page.", .preset = "85",
        .min = 1, .max = 100),
    CHOICE(struct params, color, "rgb or gray.", .preset = "rgb", .choices = colors),
    BOOL(struct params, annotations, "Whether comments, stamps and form fields are shown.",
         .preset = "true"),
    CHOICE(struct params, mode,
           "pages: a picture of each page. extract: the pictures embedded in the pages, as they "
           "are (JPEG and JPEG 2000 untouched, others as PNG); dpi, quality, color and annotations "
           "then do not matter.",
           .preset = "pages", .choices = modes),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct options {
    double dpi;
    int quality;
};

IMAGE_FORMAT_WRITER(jpeg_writer)

static int write_whole(void *writer, const void *values, const struct pixmap *pixmap,
                       struct sink sink, struct err *err)
{
    const struct options *options = values;

    return jpeg_writer_write(writer, pixmap, options->dpi, options->quality, sink, err);
}

static int begin_jpg(void *writer, const void *values, const struct pixmap *shape, struct sink sink,
                     struct err *err)
{
    const struct options *options = values;

    return jpeg_writer_begin(writer, shape->width, shape->height, shape->kind, options->dpi,
                             options->quality, sink, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct options written = { .dpi = (double) p->dpi, .quality = (int) p->quality };
    struct image_format format = { .options = &written,
                                   .extension = "jpg",
                                   .lossy = true,
                                   .max_side = JPEG_MAX_SIDE,
                                   .open = open_writer,
                                   .close = close_writer,
                                   .write = write_whole,
                                   .begin = begin_jpg,
                                   .rows = rows,
                                   .end = end };
    struct page_image_options options = { .password = p->inputPassword,
                                          .pages = p->pages,
                                          .dpi = (double) p->dpi,
                                          .kind = strcmp(p->color, "gray") == 0 ? PIXMAP_GRAY
                                                                                : PIXMAP_RGB,
                                          .smooth = true,
                                          .annotations = p->annotations };

    if (strcmp(p->mode, "extract") == 0)
        return image_extract(run, p->inputPassword, p->pages, err);
    return page_image_draw(run, &options, &format, err);
}

const struct tool tool_to_jpg = {
    .name = "to-jpg",
    .summary = "Makes a JPEG picture of each page, or takes the pictures out of the pages.",
    .accepts = { "pdf" },
    .gives = "jpg",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .threads = true,
};
