/*
 * groups: transparency groups (ISO 32000-1, 11.4) that need not be. Programs wrap whole pages in
 * them. MuPDF draws each into pixels of its own and lays those over the rest; a group that is not
 * isolated takes twice as long, and its rounding shows.
 *
 * Where everything in a group is blended normally, the group is as good as isolated; and if nothing
 * is asked of the whole of it either, it is as good as none: the normal blend is associative.
 */
#pragma once

#include <mupdf/fitz.h>

/* The same drawing with simpler groups: a new list, or NULL if all of them are needed. May throw.
 */
fz_display_list *transparency_groups_simplify(fz_context *ctx, fz_display_list *list);
