/*
 * web: the web pages and their assets, embedded from this folder, and a simple template language.
 * Nothing is loaded from other hosts: the pages work without a network.
 */
#pragma once

#include <stddef.h>

#include "base/buf.h"

struct web_file {
    const char *name, *media_type;
    const char *etag; /* with its quotes; changes with the bytes */
    const char *text; /* followed by a NUL that is not counted */
    size_t bytes;
    const char *packed; /* the same, compressed by gzip (RFC 1952) */
    size_t packed_bytes;
};

/* A text that changes whenever one of the files does. Assets are below it (/assets/VERSION/NAME),
 * so that a browser may cache them for ever. */
extern const char web_version[];

/* Finds a file by its name, or NULL. */
const struct web_file *web_find(const char *name);

struct web_value {
    const char *name;
    const char *html; /* inserted unescaped: escape text with web_escape */
};

/* Appends a template with each {{name}} replaced by its value, or removed if there is none;
 * {{t:name}} is a word of the language. */
void web_fill(struct buf *out, const char *text, const char *language,
              const struct web_value *values, size_t n);
/* Appends a word of the server's own pages, the section "pages" of LANGUAGE.json, escaped. */
void web_put_word(struct buf *out, const char *language, const char *name);
/* Appends text escaped for HTML, for an element or a quoted attribute. */
void web_escape(struct buf *out, const char *text);
