/* word-to-pdf: text documents. */
#include "declare/tool/tool.h"
#include "engine/office/convert.h"

static const char *const changes[] = { "final", "show", NULL };
static const char *const fields[] = { "stored", "update", NULL };

static const struct param params[] = {
    CONVERT_PARAMS,
    CHOICE(struct convert_options, trackChanges,
           "Tracked changes: final shows the text as if all were accepted, show marks them.",
           .preset = "final", .choices = changes),
    CHOICE(struct convert_options, fields,
           "Fields of a docx file such as dates and numbers of captions: stored shows what the "
           "file has, update what they are now. Page numbers are always those of the result.",
           .preset = "stored", .choices = fields),
    CONVERT_ENCODING,
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    return convert_office(run, KIT_TEXT, values, err);
}

const struct tool tool_word_to_pdf = {
    .name = "word-to-pdf",
    .summary = "Makes a PDF of a text document: docx, doc, odt, rtf or txt.",
    .accepts = { "zip", "ole", "text" },
    .accepts_text = "docx, doc, odt, rtf or txt",
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct convert_options),
    .run = run,
    .threads = true,
};
