/* ink: a client's picture of a handwritten signature: a PNG or JPEG file. */
#pragma once

#include "base/err.h"
#include "declare/tool_run/run.h"
#include "pdf/update/update.h"
#include "stamp/draw/drawing.h"

#define INK_BYTES 10e6 /* limit of the file in bytes */

struct ink {
    int form;             /* object number of the form XObject that paints it */
    double width, height; /* size of that form's box, in points; upright */
};

/*
 * Adds the picture. Uses the job's result file meanwhile, so that nothing may be in it yet.
 * ERR_INVALID_PARAMETER with the field `name` for a file that is not a sound picture.
 */
int ink_add(struct ink *ink, struct update *update, struct tool_run *run, const char *name,
            const struct tool_input *file, struct err *err);
/*
 * Adds a form XObject of this height, in points, that shows the form with object number `drawn` and
 * over it the picture. `place`: the area of the picture, from the top left corner as in a drawing.
 * `keys`: entries of the new form's dictionary besides its resources. *number: its object number.
 */
int ink_place(const struct ink *ink, struct update *update, int drawn, double height,
              const struct drawing_box *place, const char *keys, int *number, struct err *err);
