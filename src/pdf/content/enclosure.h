/*
 * enclosure: makes a form XObject (ISO 32000-2, 8.10) of a page's content that ends inside a token,
 * or whose data is damaged. Readers end the token where the form ends, and what is drawn after the
 * form is seen. The content itself stays as it is, so that each reader shows what it did before.
 */
#pragma once

#include "base/err.h"
#include "pdf/object/key_map.h"
#include "pdf/object/obj.h"

struct enclosures {
    struct key_map forms; /* pages with the same content and resources share a form */
};

/* The form, with a copy of `resources`. ERR_LIMIT_EXCEEDED when out of memory. */
int enclosure_make(struct enclosures *enclosures, struct obj page, struct obj resources,
                   struct obj *form, struct err *err);
void enclosure_free(struct enclosures *enclosures);
