/*
 * place: the position of a visible signature on a page, and its rotation, so that it is upright
 * when the page is displayed (ISO 32000-2, 7.7.3.3, 14.11.2 and 12.5.5).
 */
#pragma once

#include <stddef.h>

#include "declare/value/area.h"
#include "pdf/forms/sigfields.h"
#include "pdf/object/obj.h"

struct place {
    double rect[4]; /* in the page's user space: left, bottom, right, top */
    /* size of the appearance as displayed, in whole points; it is stretched to fit rect */
    double width, height;
    int rotation; /* of the page: 0, 90, 180, 270 */
};

/*
 * Places a box of that displayed size at one of nine positions ("bottom-right", "center", ...),
 * away from existing signatures as far as the page has room.
 */
void place_on_page(struct place *place, struct obj page, const char *position, double width,
                   double height);
/* Uses the requested box. ERR_INVALID_PARAMETER if it is not on the page. */
int place_in_area(struct place *place, struct obj page, const struct area_param *area,
                  struct err *err);
/* The place of a widget. False if it is invisible: its rectangle is empty. */
bool place_of_widget(struct place *place, struct obj page, struct obj widget);
/* The index of a widget's page, or n_pages if it is on none. */
size_t place_page_of(struct obj widget, qpdf_data q, size_t n_pages);

/* The form's matrix, for a bounding box of width and height. */
void place_matrix(const struct place *place, double matrix[static 6]);
