/* sanitize: removes scripts, actions, attachments, metadata and more from a PDF. */
#include "pdf/properties/sanitize.h"
#include "declare/tool/tool.h"
#include "pdf/document/doc.h"
#include "pdf/forms/unsign.h"

struct params {
    uint64_t remove;
    const char *inputPassword;
};

/* In the order of enum sanitize_kind. */
static const char *const kinds[] = { "scripts",     "actions", "attachments", "metadata", "layers",
                                     "annotations", "forms",   "links",       NULL };
static const char *const figures[SANITIZE_KINDS] = { "scriptsRemoved",     "actionsRemoved",
                                                     "attachmentsRemoved", "metadataRemoved",
                                                     "layersRemoved",      "annotationsRemoved",
                                                     "fieldsRemoved",      "linksRemoved" };

static const struct param params[] = {
    CHOICES(
        struct params, remove,
        "What is removed, divided by commas: scripts; actions that do more than going to a page "
        "or an address; attachments; metadata; layers that are hidden; annotations such as "
        "comments; forms; links.",
        .preset = "scripts,actions,attachments,metadata,layers", .choices = kinds),
    SECRET(struct params, inputPassword, "The password that opens the document.", .max = 1000),
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    const struct params *p = values;
    AUTO_PDF_DOC struct pdf_doc doc = { 0 };
    size_t removed[SANITIZE_KINDS];

    if (pdf_doc_open(&doc, run->inputs[0].path, p->inputPassword, run, err) < 0)
        return -1;
    unsign_document(&doc);
    if (sanitize_run(&doc, p->remove, removed, err) < 0)
        return -1;
    for (int i = 0; i < SANITIZE_KINDS; i++)
        if ((p->remove >> i) & 1)
            tool_figure(run, figures[i], (int64_t) removed[i]);
    if (pdf_doc_save(&doc, run->output, NULL, err) < 0)
        return -1;
    return tool_done(run, doc.n_pages, err);
}

const struct tool tool_sanitize = {
    .name = "sanitize",
    .summary = "Removes scripts, actions, attachments, metadata, hidden layers and more.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct params),
    .run = run,
};
