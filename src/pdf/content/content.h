/* content: finds the resources that a content stream names (ISO 32000-2, 7.8.2 and annex A). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The categories of a resource dictionary (7.8.3) that operators name. */
enum content_kind {
    CONTENT_XOBJECT,
    CONTENT_FONT,
    CONTENT_PATTERN,
    CONTENT_SHADING,
    CONTENT_GSTATE,
    CONTENT_COLORSPACE,
    CONTENT_PROPERTIES,
    CONTENT_KINDS,
};

/* "/XObject", ... */
extern const char *const content_categories[CONTENT_KINDS];

/* `name` is a C string such as "/Im1", with #xx decoded. Returning false stops the reading. */
typedef bool content_named(void *arg, enum content_kind kind, const char *name);

/* Calls `each` for every use of a name, in order. False if the data is not a complete content
 * stream: names may then be missing. */
bool content_names(const unsigned char *data, size_t n, content_named *each, void *arg);
