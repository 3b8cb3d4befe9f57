/* finish: what is left to do with the PDF that Chromium printed. */
#pragma once

#include "declare/tool_run/run.h"

/* Writes the PDF at `from` as the result: only the pages of a list (NULL: all), without the dates
 * and names of programs that would differ with each run. ERR_LIMIT_EXCEEDED for too many pages. */
int finish_pdf(struct tool_run *run, const char *from, const char *pages, const char *pdfa,
               struct err *err);
