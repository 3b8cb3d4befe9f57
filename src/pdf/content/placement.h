/* placement: the position of a picture on its page. Plain geometry, in points. */
#pragma once

#include "base/err.h"
#include "declare/value/paper.h"
#include "image/import/image.h"

enum placement_fit { PLACEMENT_CONTAIN, PLACEMENT_COVER, PLACEMENT_STRETCH };
enum placement_turn { PLACEMENT_AUTO, PLACEMENT_PORTRAIT, PLACEMENT_LANDSCAPE };

struct placement_rules {
    struct paper paper;
    enum placement_fit fit;
    enum placement_turn turn; /* of the paper; AUTO rotates a named paper to match the picture */
    double margin;            /* on all sides */
};

#define PLACEMENT_DPI 96.0 /* resolution of a picture without a sensible one */

struct placement {
    double width, height; /* size of the page */
    double box[4];        /* x, y, width, height: the clip, if `clip` is set */
    bool clip;
    double matrix[6]; /* of the picture, from the unit square (ISO 32000-1, 8.9.5.1) */
};

/* Places the picture upright by its orientation. ERR_INVALID_PARAMETER if margins leave no
 * space. */
int placement_make(const struct image *image, const struct placement_rules *rules,
                   struct placement *placement, struct err *err);
/* The same for a drawing of this size in points. */
int placement_make_sized(double width, double height, const struct placement_rules *rules,
                         struct placement *placement, struct err *err);
