/* scripts: collects the actions that a document runs by itself (ISO 32000-1, 12.6.4.16),
 * separated from everything else in it. */
#pragma once

#include "base/err.h"
#include "pdf/object/obj.h"

/*
 * Returns a dictionary with /Names, which goes into the leaf of the name tree /JavaScript, and the
 * catalog's /AA and /OpenAction, as far as they exist. An action keeps its script, and nothing that
 * could refer to the rest of the document; actions without a script are omitted. The caller owns
 * it; null on error.
 */
struct obj scripts_collect(qpdf_data q, struct err *err);
