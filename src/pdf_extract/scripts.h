/* scripts: what a document runs without being asked (ISO 32000-1, 12.6.4.16), apart from all else
 * of it. */
#pragma once

#include "base/err.h"
#include "pdf/obj.h"

/*
 * A dictionary with, of these, what there is: /Names, which goes into the leaf of the name tree
 * /JavaScript, and the catalog's /AA and /OpenAction. An action keeps its script, and nothing that
 * could lead back into the document; those without a script are left out. The caller's; null on
 * error.
 */
struct obj scripts_collect(qpdf_data q, struct err *err);
