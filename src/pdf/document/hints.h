/*
 * hints: whether a linearized file's hint tables (ISO 32000-2, F.4) can be right. They tell a
 * reader that fetches the file piece by piece where a page's objects are.
 */
#pragma once

#include "pdf/document/doc.h"

/* True: the tables in the file at `path`, of which the document was opened, say what no file can
 * have, such as pages without an object. False also if the file is not linearized, or was changed
 * since: readers look at no tables then. */
bool hints_are_wrong(struct pdf_doc *doc, const char *path);
