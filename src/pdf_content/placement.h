/* placement: how a picture lies on its page. Plain geometry, in points. */
#pragma once

#include "base/err.h"
#include "image_import/image.h"
#include "tool/paper.h"

enum placement_fit { PLACEMENT_CONTAIN, PLACEMENT_COVER, PLACEMENT_STRETCH };
enum placement_turn { PLACEMENT_AUTO, PLACEMENT_PORTRAIT, PLACEMENT_LANDSCAPE };

struct placement_rules {
    struct paper paper;
    enum placement_fit fit;
    enum placement_turn turn; /* of the paper; AUTO turns one that has a name to the picture */
    double margin;            /* on all sides */
};

#define PLACEMENT_DPI 96.0 /* of a picture that does not say, or says nonsense */

struct placement {
    double width, height; /* of the page */
    double box[4];        /* x, y, width, height: what of it may be painted, if `clip` */
    bool clip;
    double matrix[6]; /* of the picture, from the unit square (ISO 32000-1, 8.9.5.1) */
};

/* The picture upright, as its orientation wants it. ERR_INVALID_PARAMETER if margins leave nothing.
 */
int placement_make(const struct image *image, const struct placement_rules *rules,
                   struct placement *placement, struct err *err);
