/* flatten: makes form fields part of the content of their pages. */
#pragma once

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "pdf/document/doc.h"
#include "pdf/forms/field_painter.h"

/*
 * Draws the appearance of every visible form field into its page (ISO 32000-1, 12.5.5) and removes
 * the form. Fields without an appearance are given one first (pdf/forms/field_look.h); a field with
 * a value that cannot be drawn stays a field, with the warning `field_kept`. Hidden fields are not
 * drawn. Warns with `appearance_missing` of fields that have no appearance and no value, such as
 * signatures. `painter` and `run` may be NULL.
 */
int flatten_form(struct pdf_doc *doc, struct field_painter *painter, struct tool_run *run,
                 struct err *err);
