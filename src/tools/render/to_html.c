/* to-html: a PDF as one page of HTML. */
#include "convert/convert.h"
#include "declare/tool/tool.h"
#include "write/markup/html.h"

struct params {
    const char *pages;
    const char *headers;
    bool images;
    const char *inputPassword;
};

static const struct param params[] = {
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    CONVERT_HEADERS(struct params),
    BOOL(struct params, images, "Whether pictures are put into the page.", .preset = "true"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct convert_options options = { .password = p->inputPassword,
                                       .pages = p->pages,
                                       .fields = PAGE_FIELDS_BOXES,
                                       .headers = convert_headers_of(p->headers),
                                       .pictures = p->images };
    struct html html = { .markup.path = run->output, .title = run->stem, .pictures = p->images };
    struct writer writer = html_writer(&html);
    size_t n_pages;
    int done = convert_document(run, &options, &writer, &n_pages, err);

    markup_free(&html.markup);
    return done < 0 ? -1 : tool_done(run, n_pages, err);
}

const struct tool tool_to_html = {
    .name = "to-html",
    .summary = "Makes one page of HTML of a PDF: headings, lists, tables, links, pictures.",
    .accepts = { "pdf" },
    .gives = "html",
    .min_files = 1,
    .max_files = 1,
    .threads = true,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
