/* name_hits: finds texts in names of a document (ISO 32000-1, 7.3.5): keys and names that it or a
 * program made up, such as private entries, old destinations, states of buttons, inks, fonts and
 * resources. Strings that are names are found by engine/page_search/other_strings.h. */
#pragma once

#include "pdf/document/doc.h"
#include "pdf/redact/redact_hits.h"
#include "pdf/redact/redact_words.h"

/* Appends a hit without areas, of the kind "name", for each place of a text in a name that redact
 * would change, once for the same name wherever it is. ERR_LIMIT_EXCEEDED, as redact_hits_add. */
int name_hits_find(struct pdf_doc *doc, struct redact_words *words, struct redact_hits *hits,
                   struct err *err);
