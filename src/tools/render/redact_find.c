/* redact-find: finds what is to be redacted, without changing anything: texts, patterns, numbers of
 * people and accounts, areas, each with its place. Where platen-ocr is installed, redact-find-read
 * does its work. */
#include "declare/tool/rule.h"
#include "tools/redaction/finding.h"

#define REDACTION_LANGUAGES .choices = NULL

static const struct param params[] = {
#include "tools/redaction/finding_params.def"
};

static int run(struct tool_run *run, const void *values, struct err *err)
{
    return finding_run(run, values, NULL, err);
}

const struct tool tool_redact_find = {
    .name = "redact-find",
    .summary =
        "Finds texts, patterns, personal data and areas to be redacted, and changes nothing.",
    .accepts = { "pdf" },
    .gives = "json",
    .min_files = 1,
    .max_files = 1,
    .free = true,
    .stronger = "redact-find-read",
    .rule = &rule_redact_find,
    .params = params,
    .n_params = COUNT(params),
    .params_size = sizeof(struct finding_params),
    .run = run,
};
