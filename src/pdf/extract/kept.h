/* kept: collects what every part of a document keeps, whichever pages it has. */
#pragma once

#include "pdf/object/obj.h"

/*
 * Returns one object of the source with what does not depend on pages. Only known keys are
 * included: unknown ones could refer to anything. The caller owns it.
 */
struct obj kept_collect(qpdf_data q);
