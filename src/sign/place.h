/*
 * place: where on a page a signature shows, and how it is turned so that it stands upright when the
 * page is displayed (ISO 32000-2, 7.7.3.3, 14.11.2 and 12.5.5).
 */
#pragma once

#include <stddef.h>

#include "pdf/obj.h"
#include "pdf_forms/sigfields.h"
#include "tool/area.h"

struct place {
    double rect[4];       /* in the page's user space: left, bottom, right, top */
    double width, height; /* of what is drawn there, as displayed: whole points; what is shown is
                             stretched to fit rect */
    int rotation;         /* of the page: 0, 90, 180, 270 */
};

/*
 * A box of that displayed size at one of nine places ("bottom-right", "center", ...), moved away
 * from signatures that are there already, as far as the page has room.
 */
void place_on_page(struct place *place, struct obj page, const char *position, double width,
                   double height);
/* The box that was asked for. ERR_INVALID_PARAMETER if it is not on the page. */
int place_in_area(struct place *place, struct obj page, const struct area *area, struct err *err);
/* Where a widget is. False if it is not to be seen: its rectangle is empty. */
bool place_of_widget(struct place *place, struct obj page, struct obj widget);
/* The number of a widget's page, or n_pages if it is on none. */
size_t place_page_of(struct obj widget, qpdf_data q, size_t n_pages);

/* The form's matrix, for a bounding box of width and height. */
void place_matrix(const struct place *place, double matrix[static 6]);
