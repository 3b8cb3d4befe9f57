/* likeness: whether a page of one document looks like that of another, drawn small: enough to
 * see that a picture is missing, upside down or in wrong colours, or that text is gone. */
#pragma once

#include "mupdf/mupdf_document.h"

struct visual_diff {
    struct mupdf_document before, after;
    bool gray; /* the second is to look like the first without its colours */
};

/* The job hears nothing but is asked whether memory was refused. */
int visual_diff_open(struct visual_diff *likeness, const char *before, const char *after,
                     const char *password, struct tool_run *run, struct err *err);
void visual_diff_close(struct visual_diff *likeness);
#define AUTO_VISUAL_DIFF __attribute__((cleanup(visual_diff_close)))

/* A page that cannot be drawn as it was before is like any other. */
int visual_diff_page(struct visual_diff *likeness, size_t page, bool *alike, struct err *err);
