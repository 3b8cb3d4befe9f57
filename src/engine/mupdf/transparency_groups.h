/*
 * transparency_groups: removes needless transparency groups (ISO 32000-1, 11.4). Programs wrap
 * whole pages in them. MuPDF draws each into pixels of its own and blends those with the rest; a
 * group that is not isolated takes twice as long, and its rounding is visible.
 *
 * If everything in a group is blended normally, the group equals an isolated one; if the group as a
 * whole has no opacity, blend mode or mask either, it can be removed: normal blending is
 * associative.
 */
#pragma once

#include <mupdf/fitz.h>

/* Returns a new list with the same drawing and simpler groups, or NULL if all groups are needed.
 * May throw. */
fz_display_list *transparency_groups_simplify(fz_context *ctx, fz_display_list *list);
