/* to-tiff: pages as one TIFF file of several pages. */
#include <string.h>

#include "base/scope.h"
#include "declare/tool/rule.h"
#include "declare/tool/tool.h"
#include "declare/tool_run/run.h"
#include "engine/page_image/page_drawing.h"
#include "engine/page_image/page_image.h"
#include "image/encode/tiff_join.h"
#include "image/encode/tiff_writer.h"

struct params {
    int64_t dpi;
    const char *pages;
    const char *color;
    const char *compression;
    int64_t quality;
    bool annotations;
    const char *inputPassword;
};

static const char *const colors[] = { "rgb", "gray", "mono", NULL };
/* In the order of enum tiff_coding, after the first. */
static const char *const compressions[] = { "auto", "lzw", "deflate", "jpeg", "g4", NULL };

static const struct param params[] = {
    INT(struct params, dpi, "Resolution: pixels an inch of the page.", .preset = "150",
        .min = PAGE_DPI_MIN, .max = PAGE_DPI_MAX),
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    CHOICE(struct params, color,
           "rgb, gray, or mono: black and white, with dots for what is between.", .preset = "rgb",
           .choices = colors),
    CHOICE(struct params, compression,
           "auto: g4 for mono, else lzw. g4 (of fax machines) is for mono only; jpeg is smaller, "
           "not exact, and not for mono.",
           .preset = "auto", .choices = compressions),
    INT(struct params, quality, "With compression=jpeg: from 1, small, to 100, close to the page.",
        .preset = "85", .min = 1, .max = 100),
    BOOL(struct params, annotations, "Whether comments, stamps and form fields are shown.",
         .preset = "true"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

/* The result, which begins with its first page. */
struct pages {
    struct tool_run *run;
    struct tiff_join *join;
    size_t n;
};

IMAGE_FORMAT_WRITER(tiff_writer)

static int write_tiff(void *writer, const void *options, const struct pixmap *pixmap,
                      struct sink sink, struct err *err)
{
    return tiff_writer_write(writer, pixmap, options, sink, err);
}

static int begin_tiff(void *writer, const void *options, const struct pixmap *shape,
                      struct sink sink, struct err *err)
{
    return tiff_writer_begin(writer, shape, options, sink, err);
}

static int collect(void *hand, const char *path, size_t n_pages, struct err *err)
{
    struct pages *pages = hand;

    if (!pages->join)
        pages->join = tiff_join_new(pages->run->output, n_pages, err);
    pages->n++;
    return pages->join ? tiff_join_add(pages->join, path, err) : -1;
}

static enum tiff_coding coding_of(const struct params *p)
{
    for (size_t i = 1; compressions[i]; i++)
        if (strcmp(p->compression, compressions[i]) == 0)
            return (enum tiff_coding)(i - 1);
    return strcmp(p->color, "mono") == 0 ? TIFF_G4 : TIFF_LZW;
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    bool mono = strcmp(p->color, "mono") == 0;
    struct tiff_options written = {
        .dpi = (double) p->dpi, .coding = coding_of(p), .quality = (int) p->quality, .mono = mono
    };
    struct image_format format = { .options = &written,
                                   .extension = "tif",
                                   .lossy = written.coding == TIFF_JPEG,
                                   .max_side = TIFF_MAX_SIDE,
                                   .open = open_writer,
                                   .close = close_writer,
                                   .write = write_tiff,
                                   .begin = begin_tiff,
                                   .rows = rows,
                                   .end = end };
    struct pages pages = { .run = run };
    struct page_image_options options = { .password = p->inputPassword,
                                          .pages = p->pages,
                                          .dpi = (double) p->dpi,
                                          .kind = strcmp(p->color, "rgb") == 0 ? PIXMAP_RGB
                                                                               : PIXMAP_GRAY,
                                          .smooth = !mono,
                                          .annotations = p->annotations,
                                          .collect = collect,
                                          .hand = &pages };
    int done = page_image_draw(run, &options, &format, err);

    if (done == 0)
        done = tiff_join_end(pages.join, err);
    tiff_join_free(pages.join);
    return done < 0 ? -1 : tool_done(run, pages.n, err);
}

const struct tool tool_to_tiff = {
    .name = "to-tiff",
    .summary = "Makes one TIFF file of the pages, each a picture.",
    .accepts = { "pdf" },
    .gives = "tiff",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .rule = &rule_to_tiff,
    .run = run,
    .threads = true,
};
