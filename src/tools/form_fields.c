/* form-fields: the fields of a PDF's form, with their values, as JSON. */
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/form_data/form_list.h"

struct params {
    const char *inputPassword;
};

static const struct param params[] = {
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_FORM_FIELDS struct form_fields fields = { 0 };

    if (pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, NULL, err) < 0)
        return -1;
    doc.signed_ = false; /* nothing is rewritten */
    doc.run = run;
    pdf_doc_warn(&doc);
    if (form_fields_read(&fields, &doc, err) < 0 ||
        form_list_write(&fields, &doc, run->output, err) < 0)
        return -1;
    if (fields.xfa_only)
        tool_warn(run, "xfa_form",
                  "the document is an XFA form: its fields are not those of the pages");
    tool_figure(run, "fields", (int64_t) fields.n);
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_form_fields = {
    .name = "form-fields",
    .summary = "Lists the fields of a PDF form, with their values, as JSON.",
    .accepts = { "pdf" },
    .gives = "json",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
