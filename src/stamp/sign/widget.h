/*
 * widget: writes the objects of one signature to an update (ISO 32000-2, 12.7.5.5 and 12.8.1): its
 * value, its field with the widget that shows it, the form and the catalog.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "pdf/forms/sigfields.h"
#include "pdf/update/update.h"
#include "stamp/sign/addition.h"
#include "stamp/sign/container.h"
#include "stamp/sign/place.h"

struct widget {
    const struct sigfields *fields;
    const struct sigfield *field; /* an empty field to fill; NULL: a new one */
    const char *new_name;         /* the name of the new field */
    struct obj page;              /* the page of the new field */
    const struct place *place;    /* NULL: invisible */
    int form;                     /* object number of the appearance stream, if visible */
    struct additions *additions;  /* what else is added to pages */

    const char *name, *reason, *location; /* the last two may be NULL */
    const char *date;                     /* in PDF's form (7.9.4) */
    int certify;                          /* DocMDP's P: 1 or 2; 0: it is an approval signature */
};

/* Writes all these objects and the additions, with space for a container of `container_bytes`
 * bytes. */
int widget_write(const struct widget *widget, struct update *update, size_t container_bytes,
                 struct container *container, struct err *err);
