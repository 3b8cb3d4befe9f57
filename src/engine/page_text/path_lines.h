/* path_lines: walks a path as closed polygons of straight lines. */
#pragma once

#include "engine/mupdf/mupdf_document.h"

/* Calls `line` for each line of the path, with curves (ISO 32000-2, 8.5.2.2) as `steps` lines
 * each. Subpaths that are open are closed. */
void path_lines_walk(fz_context *ctx, const fz_path *path, int steps,
                     void (*line)(void *arg, fz_point from, fz_point to), void *arg);
