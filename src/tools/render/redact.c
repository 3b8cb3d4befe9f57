/* redact: removes texts and areas from a PDF, wherever they are in it, and proves that they are
 * gone. Where platen-ocr is installed, redact-read does its work. */
#include "declare/tool/rule.h"
#include "engine/page_search/page_search.h"
#include "tools/redaction/redaction.h"

#define REDACTION_LANGUAGES .choices = NULL

static const struct param params[] = {
#include "tools/redaction/redaction_params.def"
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    return redaction_run(run, values, NULL, err);
}

const struct tool tool_redact = {
    .name = "redact",
    .summary = "Removes texts and areas from a PDF for good, and proves that they are gone.",
    .accepts = { "pdf" },
    .gives = "pdf",
    .min_files = 1,
    .max_files = 1,
    .stronger = "redact-read",
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct redaction_params),
    .rule = &rule_redact,
    .run = run,
};
