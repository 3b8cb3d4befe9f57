/* kept: what every part of a document gets of it, whichever pages it has. */
#pragma once

#include "pdf/obj.h"

/*
 * One object of the source that holds what does not depend on pages. Keys are named one by one:
 * what is not known here could hold anything. The caller's.
 */
struct obj kept_collect(qpdf_data q);
