/*
 * escapes: restores files that were written as text with escapes for bytes: percent-encoding (RFC
 * 3986, 2.1), strings of JSON, C and PostgreSQL (\n, \u00e9, \xe9, \351), quoted-printable (RFC
 * 2045, 6.7). Each function appends the bytes to `out`; false, and `out` must be dropped, if the
 * file does not have that form.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

bool escapes_percent(const unsigned char *data, size_t n, struct buf *out);
/* Decodes from after the quote before the document up to the quote that ends the string. */
bool escapes_string(const unsigned char *data, size_t n, struct buf *out);
bool escapes_quoted(const unsigned char *data, size_t n, struct buf *out);
