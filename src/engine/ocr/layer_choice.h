/* layer_choice: whether a page whose text layer seems not to fit keeps it, or gets what was read of
 * its picture. */
#pragma once

#include "engine/ocr/page_processes.h"

/* Compares what was read of n pages with the layers of those that have a fault. A page on which the
 * reading says the same or is not sure keeps its layer: outcome PAGE_HAS_TEXT; its fault is
 * LAYER_FITS if the reading says the same. ERR_LIMIT_EXCEEDED when out of memory. */
int layer_choice_make(struct mupdf_document *doc, struct page_result *pages, size_t n,
                      struct err *err);
