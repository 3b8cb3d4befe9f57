/* reading: opens documents that are read and not changed. */
#pragma once

#include "pdf/document/doc.h"

/* Like pdf_doc_open, without the warnings about what a change would break: signatures hold. */
int reading_open(struct pdf_doc *doc, const char *path, const char *password, struct tool_run *run,
                 struct err *err);
