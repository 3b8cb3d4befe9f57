/* to-text: the text of a PDF, in reading order or at the places it has on the page. */
#include <string.h>

#include "convert/convert.h"
#include "declare/tool/tool.h"
#include "write/markup/placed.h"
#include "write/markup/plain.h"

struct params {
    const char *pages;
    const char *layout;
    const char *headers;
    const char *pageBreaks;
    const char *ocr;
    const char *language;
    const char *inputPassword;
};

static const char *const layouts[] = { "reading", "kept", NULL };
static const char *const breaks[] = { "none", "formFeed", NULL };

static const struct param params[] = {
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    CHOICE(struct params, layout,
           "reading: a line for each paragraph, in the order in which they are read; kept: words "
           "stay where they are on the page, also those of headers and footers.",
           .preset = "reading", .choices = layouts),
    CONVERT_HEADERS(struct params),
    CHOICE(struct params, pageBreaks,
           "What divides pages: none (a blank line at most) or formFeed (the character U+000C).",
           .preset = "none", .choices = breaks),
    CONVERT_OCR(struct params),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int convert_to_text(struct tool_run *run, const struct params *p,
                           const struct writer *writer, struct err *err)
{
    struct convert_options options = { .password = p->inputPassword,
                                       .pages = p->pages,
                                       .fields = PAGE_FIELDS_BOXES,
                                       .headers = convert_headers_of(p->headers) };
    size_t n_pages;

    if (strcmp(p->layout, "kept") == 0)
        options.headers = SURVEY_HEADERS_APART; /* all words are written, whatever they are */
    if (convert_document(run, &options, writer, &n_pages, err) < 0)
        return -1;
    return tool_done(run, n_pages, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    bool form_feeds = strcmp(p->pageBreaks, "formFeed") == 0;
    struct plain plain = { .markup.path = run->output, .form_feeds = form_feeds };
    struct placed placed = { .path = run->output, .form_feeds = form_feeds };
    struct writer writer =
        strcmp(p->layout, "kept") == 0 ? placed_writer(&placed) : plain_writer(&plain);
    int done = convert_to_text(run, p, &writer, err);

    markup_free(&plain.markup);
    placed_free(&placed);
    return done;
}

const struct tool tool_to_text = {
    .name = "to-text",
    .summary = "Takes the text out of a PDF, in reading order or at its places.",
    .accepts = { "pdf" },
    .gives = "text",
    .min_files = 1,
    .max_files = 1,
    .threads = true,
    .transcriber = CONVERT_TRANSCRIBER,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
