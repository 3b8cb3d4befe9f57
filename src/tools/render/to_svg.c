/* to-svg: pages as SVG files. */
#include <string.h>

#include "declare/tool/tool.h"
#include "engine/page_image/page_svg.h"

struct params {
    const char *pages;
    const char *text;
    bool annotations;
    const char *inputPassword;
};

static const char *const texts[] = { "outlines", "text", NULL };

static const struct param params[] = {
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    CHOICE(struct params, text,
           "outlines: letters are shapes and look as on the page; text: they can be searched and "
           "edited, in the fonts that the viewer has.",
           .preset = "outlines", .choices = texts),
    BOOL(struct params, annotations, "Whether comments, stamps and form fields are shown.",
         .preset = "true"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    const struct page_svg_options options = { .password = p->inputPassword,
                                              .pages = p->pages,
                                              .text = strcmp(p->text, "text") == 0,
                                              .annotations = p->annotations };

    return page_svg_draw(run, &options, err);
}

const struct tool tool_to_svg = {
    .name = "to-svg",
    .summary = "Makes an SVG file of each page: shapes, text and pictures that stay sharp.",
    .accepts = { "pdf" },
    .gives = "svg",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
