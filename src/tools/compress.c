/* compress: makes a PDF smaller. */
#include <sys/stat.h>

#include "base/fdio.h"
#include "compress/compress.h"
#include "tool/tool.h"

struct params {
    const char *quality;
    int64_t targetSize;
    bool grayscale, linearize;
    const char *inputPassword;
};

static const char *const qualities[] = { "ebook",       "screen",  "printer", "prepress",
                                         "lossless",    "low",     "medium",  "high",
                                         "recommended", "extreme", "default", NULL };

static const struct param params[] = {
    CHOICE(struct params, quality,
           "How images are kept: screen (96 dpi), ebook (150 dpi), printer (300 dpi), prepress "
           "and lossless (unchanged). low and extreme mean screen; medium, recommended and default "
           "mean ebook; high means printer.",
           .required = true, .choices = qualities),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, run, err) < 0)
        return -1;
    if (compress_write(&doc, profile_find(p->quality), run->output, err) < 0)
        return -1;
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_compress = {
    .name = "compress",
    .summary = "Makes a PDF smaller.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
