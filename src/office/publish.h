/* publish: what LibreOffice wrote, judged and made the job's result. */
#pragma once

#include "office/kit.h"
#include "tool/run.h"

struct publish {
    const char *path; /* of the PDF */
    const char *pages;
    const char *sheets; /* names or numbers; then the PDF has an entry for each in its outline */
    const char *const *names; /* of all sheets */
    size_t n_names;
    bool bookmarks; /* whether the outline stays */
    bool has_text;  /* the document surely has */
};

/* ERR_INVALID_PARAMETER, ERR_PAGE_OUT_OF_RANGE, ERR_UNSUPPORTED_CONTENT. */
int publish(struct tool_run *run, const struct publish *what, struct err *err);
