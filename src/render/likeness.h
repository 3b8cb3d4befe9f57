/* likeness: whether a page of one document looks like that of another, drawn small: enough to
 * see that a picture is missing, upside down or in wrong colours, or that text is gone. */
#pragma once

#include "render/document.h"

struct likeness {
    struct document before, after;
    bool gray; /* the second is to look like the first without its colours */
};

/* The job hears nothing but is asked whether memory was refused. */
int likeness_open(struct likeness *likeness, const char *before, const char *after,
                  const char *password, struct tool_run *run, struct err *err);
void likeness_close(struct likeness *likeness);
#define AUTO_LIKENESS __attribute__((cleanup(likeness_close)))

/* A page that cannot be drawn as it was before is like any other. */
int likeness_page(struct likeness *likeness, size_t page, bool *alike, struct err *err);
