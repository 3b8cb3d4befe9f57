/* redact_search: finds texts on the pages of a document. */
#pragma once

#include "engine/mupdf/mupdf_document.h"
#include "pdf/redact/redact_hits.h"
#include "pdf/redact/redact_words.h"

/* Appends the places of the texts on the page with this index to the hits. */
int redact_search_page(struct mupdf_document *doc, size_t page, const struct redact_words *words,
                       struct redact_hits *hits, struct err *err);
