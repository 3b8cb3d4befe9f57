/* field_tree: repairs the tree of form fields (ISO 32000-2, 12.7.4.1), so that what a widget
 * inherits is found from it upwards. */
#pragma once

#include "pdf/object/obj.h"

/* Makes the field that lists a kid its parent, in memory, where /Parent is missing or leads to what
 * does not list it. Looks at a limited number of fields. */
void field_tree_mend(qpdf_data q);
