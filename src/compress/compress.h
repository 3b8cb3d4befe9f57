/*
 * compress: makes a document smaller and leaves everything in it: pages look as they did, within
 * what the profile allows, text is found as before, and structure is not touched.
 */
#pragma once

#include "compress/profile.h"
#include "pdf/doc.h"

/* Writes the smaller document. The caller decides whether it is worth having. */
int compress_write(struct pdf_doc *doc, const struct profile *profile, const char *path,
                   struct err *err);
