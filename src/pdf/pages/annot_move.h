/*
 * annot_move: moves an annotation (ISO 32000-2, 12.5) together with the content of its page: its
 * rectangle and all its other coordinates, widths of lines, sizes of text, and, if the content is
 * turned, its appearance.
 */
#pragma once

#include "base/err.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

struct annot_mover {
    struct key_map done;        /* annotations that were moved: each once */
    struct key_map appearances; /* appearance streams, with how they are turned, to turned copies */
};

/* Moves an annotation by a matrix whose turn is a multiple of 90 degrees. ERR_LIMIT_EXCEEDED when
 * out of memory. */
int annot_move(struct annot_mover *mover, struct obj annot, const double matrix[static 6],
               struct err *err);
/* The middle of an annotation's rectangle; false if it has none. */
bool annot_move_middle(struct obj annot, double *x, double *y);
void annot_mover_free(struct annot_mover *mover);
