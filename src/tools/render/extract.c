/* extract: what is on the pages of a PDF, as data: words with their boxes, lines, blocks, tables,
 * images, links, fields; the outline; the text in chunks for retrieval. */
#include <string.h>

#include "convert/convert.h"
#include "declare/tool/tool.h"
#include "write/json/json.h"

struct params {
    uint64_t what;
    const char *pages;
    const char *outputFormat;
    int64_t chunkSize;
    const char *ocr;
    const char *language;
    const char *inputPassword;
};

#define LISTED (JSON_LINKS | JSON_FIELDS | JSON_OUTLINE) /* is read without the text of pages */

/* In the order of JSON_WORDS and what follows it. */
static const char *const parts[] = { "words", "lines",  "blocks",  "tables", "images",
                                     "links", "fields", "outline", "chunks", NULL };
static const char *const formats[] = { "json", "ndjson", NULL };

static const struct param params[] = {
    CHOICES(
        struct params, what,
        "What is written, divided by commas: words, lines and blocks with their boxes, in reading "
        "order; tables with their cells; images, links and fields; the outline; chunks of "
        "Markdown, each below its headings, with the places they are from.",
        .preset = "words", .choices = parts),
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    CHOICE(
        struct params, outputFormat,
        "json: one object; ndjson: an object a line, for each page, font, outline item and chunk.",
        .preset = "json", .choices = formats),
    INT(struct params, chunkSize,
        "Characters of a chunk, at most, unless one paragraph or table has more.", .preset = "2000",
        .min = 100, .max = 100000),
    CONVERT_OCR(struct params),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct convert_options options = { .password = p->inputPassword,
                                       .pages = p->pages,
                                       .exact = true,
                                       .bare = true,
                                       .headers = SURVEY_HEADERS_DROP,
                                       .outline = (p->what & JSON_OUTLINE) != 0,
                                       .unread = p->what == JSON_OUTLINE,
                                       .links = !(p->what & ~(uint64_t) LISTED),
                                       .fields = PAGE_FIELDS_LISTED };
    bool by_lines = strcmp(p->outputFormat, "ndjson") == 0;
    struct json json = { .path = run->output,
                         .what = (unsigned) p->what,
                         .by_lines = by_lines,
                         .chunk = (size_t) p->chunkSize };
    struct writer writer = json_writer(&json);
    size_t n_pages;
    int done = convert_document(run, &options, &writer, &n_pages, err);

    json_free(&json);
    if (done < 0)
        return -1;
    return by_lines ? tool_done_as(run, "ndjson", n_pages, err) : tool_done(run, n_pages, err);
}

const struct tool tool_extract = {
    .name = "extract",
    .summary = "Takes words, tables, links, fields and more out of a PDF, as data with places.",
    .accepts = { "pdf" },
    .gives = "json",
    .gives_also = { "ndjson" },
    .min_files = 1,
    .max_files = 1,
    .threads = true,
    .transcriber = CONVERT_TRANSCRIBER,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
