/* to-png: pages as PNG pictures. */
#include <string.h>

#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "engine/page_image/page_drawing.h"
#include "engine/page_image/page_image.h"
#include "image/encode/png_writer.h"

struct params {
    int64_t dpi;
    const char *pages;
    const char *color;
    const char *background;
    bool annotations;
    const char *inputPassword;
};

static const char *const colors[] = { "rgb", "gray", "mono", NULL };
static const char *const backgrounds[] = { "white", "transparent", NULL };

static const struct param params[] = {
    INT(struct params, dpi, "Resolution: pixels an inch of the page.", .preset = "150",
        .min = PAGE_DPI_MIN, .max = PAGE_DPI_MAX),
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    CHOICE(struct params, color,
           "rgb, gray, or mono: black and white, with dots for what is between.", .preset = "rgb",
           .choices = colors),
    CHOICE(struct params, background,
           "What is behind the page's contents: white, or transparent (not with mono).",
           .preset = "white", .choices = backgrounds),
    BOOL(struct params, annotations, "Whether comments, stamps and form fields are shown.",
         .preset = "true"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

struct options {
    double dpi;
    bool mono;
};

IMAGE_FORMAT_WRITER(png_writer)

static int write_whole(void *writer, const void *values, const struct pixmap *pixmap,
                       struct sink sink, struct err *err)
{
    const struct options *options = values;

    return png_writer_write(writer, pixmap, options->dpi, options->mono, sink, err);
}

static int write_part(void *writer, const void *values, const struct pixmap *pixmap, uint32_t from,
                      uint32_t n, struct sink sink, struct png_part *part, struct err *err)
{
    const struct options *options = values;

    return png_writer_part(writer, pixmap, options->dpi, from, n, sink, part, err);
}

static int join_png(void *writer, const struct png_part *parts, size_t n, struct sink sink,
                    struct err *err)
{
    return png_writer_join(writer, parts, n, sink, err);
}

static int begin_png(void *writer, const void *values, const struct pixmap *shape, struct sink sink,
                     struct err *err)
{
    const struct options *options = values;

    return png_writer_begin(writer, shape->width, shape->height, shape->kind, options->dpi,
                            options->mono, sink, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    bool transparent = strcmp(p->background, "transparent") == 0;
    bool rgb = strcmp(p->color, "rgb") == 0, mono = strcmp(p->color, "mono") == 0;
    struct options written = { .dpi = (double) p->dpi, .mono = mono };
    struct image_format format = { .options = &written,
                                   .extension = "png",
                                   .max_side = PNG_MAX_SIDE,
                                   .open = open_writer,
                                   .close = close_writer,
                                   .write = write_whole,
                                   .part = mono ? NULL
                                                : write_part, /* its dots depend on those above */
                                   .join = join_png,
                                   .begin = begin_png,
                                   .rows = rows,
                                   .end = end };
    struct page_image_options options = { .password = p->inputPassword,
                                          .pages = p->pages,
                                          .dpi = (double) p->dpi,
                                          .kind = rgb ? PIXMAP_RGB : PIXMAP_GRAY,
                                          .smooth = !mono,
                                          .annotations = p->annotations };

    if (transparent)
        options.kind = rgb ? PIXMAP_RGBA : PIXMAP_GRAY_ALPHA;
    return page_image_draw(run, &options, &format, err);
}

const struct tool tool_to_png = {
    .name = "to-png",
    .summary = "Makes a PNG picture of each page.",
    .accepts = { "pdf" },
    .gives = "png",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_to_png,
    .run = run,
    .threads = true,
};
