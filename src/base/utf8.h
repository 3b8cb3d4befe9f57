/* utf8: UTF-8 by RFC 3629, section 4: no overlong forms, no surrogates, nothing above U+10FFFF. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Decodes the character at the beginning of n bytes (1 or more). Returns its length in bytes; 0 if
 * the bytes are not a character. */
size_t utf8_decode(const char *text, size_t n, uint32_t *character);
/* Whether n bytes are characters and nothing else. */
bool utf8_is_valid(const char *text, size_t n);
/* Decodes the character at *at of text that is known to be valid, and moves *at to the next. 0 at
 * the end of n bytes. */
uint32_t utf8_next(const char *text, size_t n, size_t *at);

#define UTF8_MOST 4 /* bytes of one character */
/* Encodes a character (up to U+10FFFF). Returns its length in bytes, 1 to 4; there is no NUL. */
size_t utf8_encode(uint32_t character, char out[static UTF8_MOST]);
/* Appends a character to a buffer. */
void utf8_put(uint32_t character, struct buf *out);
