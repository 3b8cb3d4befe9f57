/* page-words: the text of pages with the places of its words, and the links of each page, to be
 * laid over pictures in a browser; or the outline. The server's own (server/api_submit/strips.h).
 */
#include <stdio.h>

#include "convert/convert.h"
#include "declare/tool/tool.h"
#include "write/json/layer.h"

struct params {
    const char *pages;
    bool outline;
    const char *inputPassword;
};

static const struct param params[] = {
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    BOOL(struct params, outline, "Whether the outline is written instead.", .preset = "false"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static const char *begin_part(void *hand)
{
    return tool_part(hand);
}

static int end_part(void *hand, size_t page, struct err *err)
{
    char name[40];

    snprintf(name, sizeof name, "%zu.json", page + 1);
    return tool_part_done(hand, name, 1, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct convert_options options = { .password = p->inputPassword,
                                       .pages = p->outline ? "1" : p->pages,
                                       .exact = true,
                                       .bare = true,
                                       .headers = SURVEY_HEADERS_DROP,
                                       .unread = p->outline,
                                       .outline = p->outline };
    struct layer layer = { .begin = begin_part,
                           .end = end_part,
                           .hand = run,
                           .outline_path = p->outline ? run->output : NULL };
    struct writer writer = layer_writer(&layer);
    size_t n_pages;

    if (convert_document(run, &options, &writer, &n_pages, err) < 0)
        return -1;
    return p->outline ? tool_done(run, 0, err) : tool_parts_done(run, err);
}

const struct tool tool_page_words = {
    .name = "page-words",
    .summary = "Tells where the words of pages are, for a browser.",
    .accepts = { "pdf" },
    .gives = "json",
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
