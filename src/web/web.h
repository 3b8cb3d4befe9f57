/*
 * web: the pages for people and what they load, as they are in this folder, and the filling of
 * their blanks. Nothing comes from anywhere else: they work without a network.
 */
#pragma once

#include <stddef.h>

#include "base/buf.h"

struct web_file {
    const char *name, *media_type;
    const char *etag; /* with its quotes; changes with the bytes */
    const char *text; /* ends with a NUL that does not count */
    size_t bytes;
    const char *packed; /* the same, compressed by gzip (RFC 1952) */
    size_t packed_bytes;
};

/* Changes whenever one of the files does. Assets stand below it (/assets/VERSION/NAME), so that a
 * browser may keep them for ever. */
extern const char web_version[];

/* The file of this name, or NULL. */
const struct web_file *web_find(const char *name);

struct web_value {
    const char *name;
    const char *html; /* put in as it is: web_escape what is text */
};

/* Appends a text with each {{name}} replaced by that value, or by nothing if there is none. */
void web_fill(struct buf *out, const char *text, const struct web_value *values, size_t n);
/* Appends text so that HTML shows it as it is, in an element or a quoted attribute. */
void web_escape(struct buf *out, const char *text);
