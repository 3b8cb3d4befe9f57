/* form-fields: the fields of a PDF's form, with their values, as JSON; or only the values, in the
 * other formats that fill-form reads. */
#include <string.h>

#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/form_data/form_export.h"
#include "pdf/form_data/form_list.h"

struct params {
    const char *outputFormat;
    const char *inputPassword;
};

/* After json, in the order of enum form_export. */
static const char *const formats[] = { "json", "xfdf", "fdf", "csv", NULL };

static const struct param params[] = {
    CHOICE(struct params, outputFormat,
           "json: the fields with all that is known of them; xfdf, fdf or csv: their values, as "
           "fill-form reads them.",
           .preset = "json", .choices = formats),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int write_values(struct tool_run *run, const struct form_fields *fields, const char *format,
                        struct err *err)
{
    enum form_export as = FORM_EXPORT_XFDF;
    size_t left_out;

    while (strcmp(formats[as + 1], format) != 0)
        as++;
    if (form_export_write(fields, as, run->output, &left_out, err) < 0)
        return -1;
    if (left_out > 0)
        tool_warn(run, "values_left_out",
                  "%zu fields have no names, or those of other fields: their values are left out",
                  left_out);
    return 0;
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    AUTO_FORM_FIELDS struct form_fields fields = { 0 };
    bool is_json = strcmp(p->outputFormat, "json") == 0;

    if (pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, NULL, err) < 0)
        return -1;
    doc.signed_ = false; /* nothing is rewritten */
    doc.run = run;
    pdf_doc_warn(&doc);
    if (form_fields_read(&fields, &doc, err) < 0 ||
        (is_json ? form_list_write(&fields, &doc, run->output, err)
                 : write_values(run, &fields, p->outputFormat, err)) < 0)
        return -1;
    if (fields.xfa_only)
        tool_warn(run, "xfa_form",
                  "the document is an XFA form: its fields are not those of the pages");
    tool_figure(run, "fields", (int64_t) fields.n);
    return is_json ? tool_done(run, doc.n_pages, err)
                   : tool_done_as(run, p->outputFormat, doc.n_pages, err);
}

const struct tool tool_form_fields = {
    .name = "form-fields",
    .summary = "Lists the fields of a PDF form, with their values, as JSON, XFDF, FDF or CSV.",
    .accepts = { "pdf" },
    .gives = "json",
    .gives_also = { "xfdf", "fdf", "csv" },
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .free = true,
};
