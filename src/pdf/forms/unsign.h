/*
 * unsign: removes signatures that do not hold for a document that is rewritten. Left in place,
 * they would be reported as broken, or as illegal byte ranges, and the fields could not be signed
 * again.
 */
#pragma once

#include "pdf/document/doc.h"

/*
 * Empties the signature fields, and removes usage rights and certification (/Perms, ISO 32000-2,
 * 12.8.6). What a signature shows on a page stays there, as a stamp. Call it before the document is
 * changed; pdf_doc_open has warned.
 */
void unsign_document(struct pdf_doc *doc);
