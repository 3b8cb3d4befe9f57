/* layer_survey: finds the pages of a document whose text layer does not fit. Of many pages some are
 * measured first, and the others, at most 600, only if one of these does not fit: one program made
 * them all. */
#pragma once

#include "base/buf.h"
#include "engine/layer_fit/layer_fit.h"

/* Measures n pages (indexes) that have a layer, and sets what is wrong with each of them. What
 * cannot be measured fits. ERR_LIMIT_EXCEEDED when out of memory. */
int layer_survey_make(struct mupdf_document *doc, const size_t *pages, size_t n,
                      enum layer_fault *faults, struct err *err);
/* "words that no language has" */
const char *layer_survey_named(enum layer_fault fault);
/* Appends what is wrong with which pages: "words in other places than their ink: pages 1,3". */
void layer_survey_list(const size_t *pages, size_t n, const enum layer_fault *faults,
                       struct buf *out);
