/* page-pictures: pages as small WebP pictures of one width, to be looked at in a browser. The
 * server's own (server/api_submit/strips.h). */
#include "declare/tool/tool.h"
#include "engine/page_image/page_image.h"
#include "image/encode/webp_writer.h"

/* Previews of pages are seen once: half the time of the method 4 is worth a few more bytes. */
static const struct webp_options preview = { .quality = 75, .method = 2 };

struct params {
    int64_t width;
    const char *pages;
    const char *inputPassword;
};

static const struct param params[] = {
    INT(struct params, width, "Pixels from left to right.", .required = true, .min = 40,
        .max = 2000),
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

/* Each picture is encoded by itself: the encoder has no state, but NULL would be a failure. */
static void *open_encoder(struct err *err)
{
    static char none;

    (void) err;
    return &none;
}

static void close_encoder(void *encoder)
{
    (void) encoder;
}

static int write_whole(void *encoder, const void *options, const struct pixmap *pixmap,
                       struct sink sink, struct err *err)
{
    (void) encoder;
    (void) options;
    return webp_writer_write(pixmap, &preview, sink, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    /* Of a width pictures are never large: no bands. */
    struct image_format format = { .extension = "webp",
                                   .lossy = true,
                                   .max_side = WEBP_WRITER_SIDE,
                                   .open = open_encoder,
                                   .close = close_encoder,
                                   .write = write_whole };
    struct page_image_options options = { .password = p->inputPassword,
                                          .pages = p->pages,
                                          .dpi = 72,
                                          .width = (int) p->width,
                                          .kind = PIXMAP_RGB,
                                          .smooth = true,
                                          .annotations = true };

    return page_image_draw(run, &options, &format, err);
}

const struct tool tool_page_pictures = {
    .name = "page-pictures",
    .summary = "Makes small pictures of pages, for a browser.",
    .accepts = { "pdf" },
    .gives = "webp",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .hidden = true,
    .threads = true,
};
