/* redact-find-read: the work of redact-find, with the text of scans. */
#include "declare/tool/rule.h"
#include "engine/ocr/languages.h"
#include "tools/redaction/finding.h"

#define REDACTION_LANGUAGES .choices = languages_installed

static const struct param params[] = {
#include "tools/redaction/finding_params.def"
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    static const struct picture_reader reader = { .read = layered_copy_make };

    return finding_run(run, values, &reader, err);
}

const struct tool tool_redact_find_read = {
    .name = "redact-find-read",
    .summary = "Does the work of redact-find, and reads scans.",
    .accepts = { "pdf" },
    .gives = "json",
    .min_files = 1,
    .max_files = 1,
    .free = true,
    .hidden = true,
    .processes = true,
    .rule = &rule_redact_find,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct finding_params),
    .run = run,
};
