/* property_list: names with texts, as a JSON object: {"Project":"Blue","Old":""}. */
#pragma once

#include <stddef.h>

#include "base/err.h"

#define PROPERTY_LIST_ITEMS 200   /* limit of the properties of one list */
#define PROPERTY_LIST_CHARS 50000 /* limit of the text's length */

struct property_list {
    struct property {
        char *name, *value;
    } * items;
    size_t n;
};

/* Parses the text; call property_list_free in any case. ERR_INVALID_PARAMETER with the field
 * `name`. */
int property_list_read(const char *name, const char *text, struct property_list *out,
                       struct err *err);
void property_list_free(struct property_list *list);
#define AUTO_PROPERTY_LIST __attribute__((cleanup(property_list_free)))
