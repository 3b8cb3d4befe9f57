/* unused: drops resources that no content names from the document. */
#pragma once

#include "base/err.h"
#include "compress/usage/form_fonts.h"
#include "compress/usage/usage.h"
#include "pdf/document/doc.h"

/*
 * Removes from resource dictionaries that were read what no content names, once. Does nothing if
 * some content could not be read, or resources are for later drawing; else reads `form_fonts`.
 */
int unused_drop(const struct usage *usage, struct form_fonts *form_fonts, struct pdf_doc *doc,
                struct err *err);
