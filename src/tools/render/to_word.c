/* to-word: a PDF as a Word document whose text flows. */
#include <string.h>

#include "convert/convert.h"
#include "declare/tool/tool.h"
#include "write/docx/docx.h"

struct params {
    const char *pages;
    const char *layout;
    const char *outputFormat;
    const char *ocr;
    const char *language;
    const char *uncertain;
    const char *inputPassword;
};

static const char *const layouts[] = { "flow", "exact", NULL };
static const char *const formats[] = { "docx", NULL };
/* Read by the transcriber (convert/convert.h). */
static const char *const uncertains[] = { "keep", "comment", NULL };

static const struct param params[] = {
    PAGES(struct params, pages, "Which pages.", .preset = "all"),
    CHOICE(struct params, layout,
           "flow: paragraphs and tables as one would have typed them; exact: paragraphs in frames "
           "that stand where they stood.",
           .preset = "flow", .choices = layouts),
    CHOICE(struct params, outputFormat, "The kind of the result.", .preset = "docx",
           .choices = formats),
    CONVERT_OCR(struct params),
    CHOICE(struct params, uncertain,
           "Words of scans that may have been read wrongly. keep: they are text like others; "
           "comment: each has a comment with its picture and how sure it is.",
           .preset = "keep", .choices = uncertains),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    struct convert_options options = { .password = p->inputPassword,
                                       .pages = p->pages,
                                       .exact = strcmp(p->layout, "exact") == 0,
                                       .fields = PAGE_FIELDS_ALL,
                                       .pictures = true };
    struct docx_target target = { .path = run->output };
    struct writer writer = docx_writer(&target);
    size_t n_pages;
    int done = convert_document(run, &options, &writer, &n_pages, err);

    docx_free(target.docx);
    return done < 0 ? -1 : tool_done(run, n_pages, err);
}

const struct tool tool_to_word = {
    .name = "to-word",
    .summary = "Makes a Word document of a PDF, with text that flows.",
    .accepts = { "pdf" },
    .gives = "docx",
    .min_files = 1,
    .max_files = 1,
    .threads = true,
    .transcriber = CONVERT_TRANSCRIBER,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
