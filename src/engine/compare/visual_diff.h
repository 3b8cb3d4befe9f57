/* visual_diff: compares pages of two documents, drawn small: enough to notice that a picture is
 * missing, upside down or in wrong colours, or that text is missing. */
#pragma once

#include "engine/mupdf/mupdf_document.h"

struct visual_diff {
    struct mupdf_document before, after;
    bool gray; /* the second should look like the first in gray */
};

/* Opens both documents. `run` gets no warnings; it is only asked whether an allocation has failed.
 */
int visual_diff_open(struct visual_diff *diff, const char *before, const char *after,
                     const char *password, struct tool_run *run, struct err *err);
void visual_diff_close(struct visual_diff *diff);
#define AUTO_VISUAL_DIFF __attribute__((cleanup(visual_diff_close)))

/* Draws and compares a page, counted from 0. *alike: the two are similar. A page that could not be
 * drawn in the first document counts as equal. */
int visual_diff_page(struct visual_diff *diff, size_t page, bool *alike, struct err *err);
