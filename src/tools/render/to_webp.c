/* to-webp: pages as WebP pictures. */
#include <string.h>

#include "declare/tool/tool.h"
#include "engine/page_image/page_drawing.h"
#include "engine/page_image/page_image.h"
#include "image/encode/webp_writer.h"

#define METHOD 4 /* libwebp's own default: twice the time of 2, for files that are kept */

struct params {
    int64_t dpi;
    const char *pages;
    int64_t quality;
    bool lossless;
    const char *color;
    const char *background;
    bool annotations;
    const char *inputPassword;
};

static const char *const colors[] = { "rgb", "gray", NULL };
static const char *const backgrounds[] = { "white", "transparent", NULL };

static const struct param params[] = {
    INT(struct params, dpi, "Resolution: pixels an inch of the page.", .preset = "150",
        .min = PAGE_DPI_MIN, .max = PAGE_DPI_MAX),
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    INT(struct params, quality,
        "From 1, small, to 100, close to the page; of no effect on lossless.", .preset = "80",
        .min = 1, .max = 100),
    BOOL(struct params, lossless, "Whether every pixel is preserved, in a larger file.",
         .preset = "false"),
    CHOICE(struct params, color, "rgb or gray.", .preset = "rgb", .choices = colors),
    CHOICE(struct params, background, "What is below the page's contents: white, or transparent.",
           .preset = "white", .choices = backgrounds),
    BOOL(struct params, annotations, "Whether comments, stamps and form fields are shown.",
         .preset = "true"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

IMAGE_FORMAT_WRITER(webp_writer)

static int write_webp(void *writer, const void *options, const struct pixmap *pixmap,
                      struct sink sink, struct err *err)
{
    (void) writer;
    return webp_writer_write(pixmap, options, sink, err);
}

static int begin_webp(void *writer, const void *options, const struct pixmap *shape,
                      struct sink sink, struct err *err)
{
    return webp_writer_begin(writer, shape, options, sink, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct webp_options written = { .quality = p->lossless ? 50 : (float) p->quality,
                                    .lossless = p->lossless,
                                    .method = METHOD };
    struct image_format format = { .options = &written,
                                   .extension = "webp",
                                   .lossy = !p->lossless,
                                   .max_side = WEBP_WRITER_SIDE,
                                   .open = open_writer,
                                   .close = close_writer,
                                   .write = write_webp,
                                   .begin = begin_webp,
                                   .rows = rows,
                                   .end = end };
    bool transparent = strcmp(p->background, "transparent") == 0;
    bool rgb = strcmp(p->color, "rgb") == 0;
    struct page_image_options options = { .password = p->inputPassword,
                                          .pages = p->pages,
                                          .dpi = (double) p->dpi,
                                          .kind = rgb ? PIXMAP_RGB : PIXMAP_GRAY,
                                          .smooth = true,
                                          .annotations = p->annotations };

    if (transparent)
        options.kind = rgb ? PIXMAP_RGBA : PIXMAP_GRAY_ALPHA;
    return page_image_draw(run, &options, &format, err);
}

const struct tool tool_to_webp = {
    .name = "to-webp",
    .summary = "Makes a WebP picture of each page.",
    .accepts = { "pdf" },
    .gives = "webp",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .threads = true,
};
