/*
 * tag_names: the names of structure elements in what Chromium prints (ISO 32000-2, 14.7.2, /ID).
 * Chromium makes them of numbers that depend on when its parts were loaded.
 */
#pragma once

#include "base/err.h"
#include "pdf/document/doc.h"

/* Names the elements by their places in the order of their names, which is always the same, in the
 * tree of names, in the elements, and where header cells are referred to. ERR_LIMIT_EXCEEDED when
 * out of memory. */
int tag_names_settle(struct pdf_doc *doc, struct err *err);
