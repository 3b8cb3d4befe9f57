/* rescue: saves a damaged document as MuPDF repairs it. */
#pragma once

#include "base/err.h"
#include "declare/tool_run/run.h"

/* Writes MuPDF's repair of the input to `path`, encrypted as it was. Errors as
 * mupdf_document_open. */
int rescue_save(const char *input, const char *password, struct tool_run *run, const char *path,
                struct err *err);
