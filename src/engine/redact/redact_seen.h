/*
 * redact_seen: finds removed texts in what was recognised in the picture of a page of the written
 * document. What a text was removed from by its own name must not be seen anywhere on the pages
 * that were searched. The text of a hit must not be seen at its place, and, if the page has it in
 * no other text, nowhere on its page. Texts of up to REDACT_WORDS_SHORT characters are not looked
 * for: they may be parts of anything. Where the page's own, visible text is almost what was
 * recognised, that was a similar word, read wrongly.
 */
#pragma once

#include "engine/redact/redact_proof.h"
#include "pdf/document/doc.h"
#include "pdf/text_layer/text_layer.h"

struct redact_seen {
    const struct redact_proof *proof;
    struct mupdf_document *shown; /* the written document, by both engines */
    struct pdf_doc *doc;
};

/* Whether there is something to look for on a page; *hits: because something was removed there. */
bool redact_seen_wants(const struct redact_proof *proof, size_t page, bool *hits);
/* ERR_REDACTION_INCOMPLETE, with the page and the place as the parameter `regions` has places. */
int redact_seen_check(const struct redact_seen *seen, size_t page, const struct layer_page *read,
                      struct err *err);
