/* flatten: makes form fields, and other annotations, part of the content of their pages. */
#pragma once

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "pdf/document/doc.h"
#include "pdf/forms/field_painter.h"
#include "pdf/forms/flatten_choice.h"

/*
 * Draws the appearance of every visible form field and annotation of the options into its page (ISO
 * 32000-1, 12.5.5), and removes them, and a form of which nothing is left. Fields without an
 * appearance are given one first (pdf/forms/field_look.h); a field with a value that cannot be
 * drawn stays a field, with the warning `field_kept`. Hidden fields are not drawn. An annotation
 * without an appearance stays, with the warning `annotation_kept`; texts of comments are removed
 * with them, with the warning `comments_removed`. Warns with `appearance_missing` of fields that
 * have no appearance and no value, such as signatures. `painter` and `run` may be NULL.
 */
int flatten_document(struct pdf_doc *doc, const struct flatten_options *options,
                     struct field_painter *painter, struct tool_run *run, struct err *err);
