/*
 * fit: one text, as large as fits the available space, at any angle; a long one is broken into
 * lines. Each way to break it is drawn once, on a page of its own that is as large as the text, and
 * scaled from there.
 */
#pragma once

#include "stamp/draw/layout.h"

struct fit;

/*
 * The style's size and width are ignored. `drawing` and `text` are borrowed until fit_free. Errors
 * are layout_new's, and ERR_INVALID_PARAMETER if the text is blank.
 */
struct fit *fit_new(struct drawing *drawing, const char *text, const struct layout_style *style,
                    uint32_t color, struct err *err);
void fit_free(struct fit **fit);
#define AUTO_FIT __attribute__((cleanup(fit_free)))

struct fit_room {
    double width, height; /* the space for the rotated text */
    double angle;         /* of the text, counterclockwise, in radians */
    /* the requested font size; smaller only if that does not fit. 0: as large as fits */
    double size;
    double most; /* with size 0: limit of the font size */
    /* with size 0: more lines are preferred to a smaller font size than this */
    double readable;
};

struct fitted {
    size_t page;          /* the drawing's page with the text */
    double scale;         /* from that page to the final size */
    double width, height; /* final size of the text before it is rotated */
    double size;          /* final font size */
};

/* Finds the best lines and size for that space, and draws the text with these lines on a page of
 * its own, unless that was done before. */
int fit_into(struct fit *fit, const struct fit_room *room, struct fitted *fitted, struct err *err);
