/* fill-form: fills in the form of a PDF; several rows of values make a document each. */
#include <stdio.h>
#include <string.h>

#include "base/fdio.h"
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/form_data/form_fill.h"
#include "pdf/form_data/form_read.h"
#include "pdf/forms/flatten.h"
#include "pdf/forms/unsign.h"
#include "pdf/update/import.h"
#include "stamp/form/painter.h"
#include "stamp/sign/container.h"

#define MAX_DATA 50000000 /* bytes */

struct params {
    const struct tool_input *data;
    const char *unknown;
    const char *flatten;
    bool readOnly;
    const char *inputPassword;
};

static const char *const unknown[] = { "fail", "ignore", NULL };
static const char *const flatten[] = { "none", "filled", "all", NULL };

static const struct param params[] = {
    UPLOAD(
        struct params, data,
        "The values, as JSON, XFDF, FDF or CSV: a file, or its text. JSON is an object of names "
        "and values, or what form-fields lists. A JSON list of objects, or each row of CSV below "
        "the names, makes a document of its own.",
        .required = true, .text = true, .max = MAX_DATA),
    CHOICE(struct params, unknown,
           "What becomes of values for fields that the form does not have: the job fails, or they "
           "are ignored with a warning.",
           .preset = "fail", .choices = unknown),
    CHOICE(struct params, flatten,
           "Which fields become part of the page: none, those that were filled in, or all.",
           .preset = "none", .choices = flatten),
    BOOL(struct params, readOnly, "Whether fields cannot be changed in the result.",
         .preset = "false"),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

/* A document with signatures is filled in by an update, after which they still hold. */
static int fill_signed(struct tool_run *run, struct form_fill *fill, struct pdf_doc *doc,
                       const struct form_row *row, const char *path, struct err *err)
{
    const struct tool_input *input = &run->inputs[0];
    AUTO_UPDATE struct update update = { 0 };
    int first = pdf_doc_next_number(doc);

    if (update_start(&update, doc, input->fd, input->bytes, err) < 0 ||
        form_fill_row(fill, doc, row, run, err) < 0 ||
        import_changed(&update, fill->objects, fill->n_objects, first, err) < 0 ||
        update_finish(&update, err) < 0 || update_check(&update, err) < 0)
        return -1;
    return container_append(&update, input->fd, path, run, err);
}

/* Fills in one copy of the document. Only the first one warns about the document itself. */
static int fill_row(struct tool_run *run, const struct params *p, struct form_fill *fill,
                    const struct form_row *row, const char *path, bool first, size_t *pages,
                    struct err *err)
{
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    const struct flatten_options options = {
        .fields = true, .only = strcmp(p->flatten, "filled") == 0 ? &fill->changed : NULL
    };

    if (pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, NULL, err) < 0)
        return -1;
    *pages = doc.n_pages;
    fill->signed_ = doc.signed_ && strcmp(p->flatten, "none") == 0 && !p->readOnly;
    doc.signed_ = doc.signed_ && !fill->signed_;
    doc.run = first ? run : NULL;
    pdf_doc_warn(&doc);
    if (fill->signed_)
        return fill_signed(run, fill, &doc, row, path, err);
    unsign_document(&doc);
    if (form_fill_row(fill, &doc, row, run, err) < 0)
        return -1;
    if (strcmp(p->flatten, "none") != 0 &&
        flatten_document(&doc, &options, fill->painter, run, err) < 0)
        return -1;
    return pdf_doc_save(&doc, path, NULL, err);
}

static int fill_rows(struct tool_run *run, const struct params *p, struct form_fill *fill,
                     const struct form_values *data, struct err *err)
{
    char name[TOOL_NAME];
    size_t pages;

    for (size_t i = 0; i < data->n; i++) {
        const char *path = tool_part(run);

        if (fill_row(run, p, fill, &data->rows[i], path, i == 0, &pages, err) < 0)
            return data->n > 1 ? err_wrap(err, "row %zu", i + 1) : -1;
        snprintf(name, sizeof name, "%.150s_%zu.pdf", run->stem, i + 1);
        if (tool_part_done(run, name, pages, err) < 0)
            return -1;
        tool_progress(run, (double) (i + 1) / (double) data->n);
    }
    return tool_parts_done(run, err);
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_FORM_VALUES struct form_values data = { 0 };
    AUTO_FORM_FILL struct form_fill fill = { .ignore_unknown = strcmp(p->unknown, "ignore") == 0,
                                             .read_only = p->readOnly };
    AUTO_PAINTER struct field_painter *painter = painter_new(err);
    AUTO_BUF struct buf bytes = BUF_EMPTY;
    size_t pages;

    if (!painter || fdio_read_all(p->data->fd, MAX_DATA, &bytes, err) < 0 ||
        form_values_read(&data, &bytes, err) < 0)
        return -1;
    fill.painter = painter;
    if (data.n > 1)
        return fill_rows(run, p, &fill, &data, err);
    if (fill_row(run, p, &fill, &data.rows[0], run->output, true, &pages, err) < 0)
        return -1;
    tool_figure(run, "filled", (int64_t) fill.filled);
    return tool_done(run, pages, err);
}

const struct tool tool_fill_form = {
    .name = "fill-form",
    .summary = "Fills in a PDF form from JSON, XFDF, FDF or CSV, once or for each row.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .many = true,
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
    .threads = true,
};
