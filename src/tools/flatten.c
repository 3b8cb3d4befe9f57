/* flatten: makes form fields and annotations part of the pages of a PDF. */
#include "pdf/forms/flatten.h"
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"
#include "stamp/form/painter.h"

struct params {
    uint64_t what;
    const char *inputPassword;
};

enum { FIELDS = 1, ANNOTATIONS = 2 };

static const char *const parts[] = { "fields", "annotations", NULL };

static const struct param params[] = {
    CHOICES(struct params, what,
            "What becomes part of the pages, divided by commas: fields of the form, annotations "
            "(comments, markings, stamps; links stay).",
            .preset = "fields,annotations", .choices = parts),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    const struct flatten_options options = { .fields = p->what & FIELDS,
                                             .annotations = p->what & ANNOTATIONS };
    AUTO_PAINTER struct field_painter *painter = painter_new(err);
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (!painter || pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, run, err) < 0)
        return -1;
    unsign_document(&doc);
    tool_progress(run, 0.1);
    if (flatten_document(&doc, &options, painter, run, err) < 0 ||
        pdf_doc_save(&doc, run->output, NULL, err) < 0)
        return -1;
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_flatten = {
    .name = "flatten",
    .summary = "Makes the form fields and annotations of a PDF part of its pages.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .threads = true,
};
