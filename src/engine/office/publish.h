/* publish: checks LibreOffice's output and makes it the job's result. */
#pragma once

#include "declare/tool_run/run.h"
#include "engine/office/kit.h"
#include "engine/office_text/wanted.h"

struct publish {
    const char *path; /* of the PDF */
    const char *pages;
    /* selected sheets, by names or numbers; the PDF must then have an outline entry for each */
    const char *sheets;
    const char *const *names; /* of all sheets, or NULL; if given, `run` is warned of blank pages */
    size_t n_names;
    bool single_pages;  /* each sheet has a page, also one that is hidden; none is in the outline */
    const bool *hidden; /* which of the sheets are not meant to be there; or NULL */
    bool bookmarks;     /* keep the outline */
    bool has_text;      /* the document certainly has text */
    const char *source; /* the document, if it is OOXML whose words are looked for; or NULL */
    struct wanted wanted; /* which of its words */
    struct kit_doc *doc;  /* is asked what it hides */
};

/* Makes the selected pages of the PDF the result of `run`, which is warned of words that the PDF
 * does not show, and of what is hidden. ERR_INVALID_PARAMETER for a sheet that does not exist,
 * ERR_PAGE_OUT_OF_RANGE, ERR_UNSUPPORTED_CONTENT if nothing is printed. */
int publish_file(struct tool_run *run, const struct publish *what, struct err *err);
