/* flatten: form fields become part of the page they are on. */
#pragma once

#include "base/err.h"
#include "pdf/doc.h"
#include "tool/run.h"

/*
 * Draws the appearance of every visible form field into its page (ISO 32000-1, 12.5.5) and takes
 * the form away. Fields that are hidden are not drawn. Warns with `appearance_missing` of fields
 * that have none. `run` may be NULL.
 */
int flatten_form(struct pdf_doc *doc, struct tool_run *run, struct err *err);
