/* flatten: makes form fields, annotations and layers part of the pages of a PDF. */
#include "pdf/forms/flatten.h"
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"
#include "pdf/properties/hidden_layers.h"
#include "stamp/form/painter.h"

struct params {
    uint64_t what;
    const char *inputPassword;
};

enum { FIELDS = 1, ANNOTATIONS = 2, LAYERS = 4 };

static const char *const parts[] = { "fields", "annotations", "layers", NULL };

static const struct param params[] = {
    CHOICES(struct params, what,
            "What becomes part of the pages, divided by commas: fields of the form, annotations "
            "(comments, markings, stamps; links stay), layers (what is shown when the document is "
            "opened; what is not shown then is removed).",
            .preset = "fields,annotations", .choices = parts),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int flatten_annots(struct tool_run *run, struct pdf_doc *doc, uint64_t what,
                          struct field_painter *painter, struct err *err)
{
    struct flatten_counts counts = { 0 };
    const struct flatten_options options = { .fields = what & FIELDS,
                                             .annotations = what & ANNOTATIONS,
                                             .counts = &counts };

    if (flatten_document(doc, &options, painter, run, err) < 0)
        return -1;
    if (what & FIELDS)
        tool_figure(run, "fieldsFlattened", (int64_t) counts.fields);
    if (what & ANNOTATIONS)
        tool_figure(run, "annotationsFlattened", (int64_t) counts.annotations);
    return 0;
}

static int flatten_layers(struct tool_run *run, struct pdf_doc *doc, struct err *err)
{
    size_t removed, kept;

    if (hidden_layers_flatten(doc, &removed, &kept, err) < 0)
        return -1;
    tool_figure(run, "layersFlattened", (int64_t) kept);
    tool_figure(run, "layersRemoved", (int64_t) removed);
    return 0;
}

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PAINTER struct field_painter *painter = painter_new(err);
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };

    if (!painter || pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, run, err) < 0)
        return -1;
    unsign_document(&doc);
    tool_progress(run, 0.1);
    if (p->what & (FIELDS | ANNOTATIONS) && flatten_annots(run, &doc, p->what, painter, err) < 0)
        return -1;
    /* Last: what is drawn into pages may belong to layers, too. */
    if ((p->what & LAYERS && flatten_layers(run, &doc, err) < 0) ||
        pdf_doc_save(&doc, run->output, NULL, err) < 0)
        return -1;
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_flatten = {
    .name = "flatten",
    .summary = "Makes the form fields, annotations and layers of a PDF part of its pages.",
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
