/*
 * fit: one text, as large as suits the room there is, at any angle; a long one is broken into
 * lines for it. Each way to break it is drawn once, on a page of its own that is as large as the
 * text, and scaled from there.
 */
#pragma once

#include "draw/layout.h"

struct fit;

/*
 * The style's size and width do not matter. Errors are layout_new's, and ERR_INVALID_PARAMETER if
 * there is nothing to see in the text.
 */
struct fit *fit_new(struct drawing *drawing, const char *text, const struct layout_style *style,
                    uint32_t color, struct err *err);
void fit_free(struct fit **fit);
#define AUTO_FIT __attribute__((cleanup(fit_free)))

struct fit_room {
    double width, height; /* the turned text has to lie within */
    double angle;         /* of the text, counterclockwise, in radians */
    double size;          /* of the font, wished for; smaller only if that does not fit. 0: as large
                             as fits */
    double most;          /* with size 0: but not larger than this */
    double readable;      /* with size 0: below this rather more lines */
};

struct fitted {
    size_t page;          /* of the drawing: holds the text */
    double scale;         /* from that page to how it is to be shown */
    double width, height; /* then, before it is turned */
    double size;          /* of the font then */
};

int fit_into(struct fit *fit, const struct fit_room *room, struct fitted *fitted, struct err *err);
