/* utf8: UTF-8 by RFC 3629, section 4: no overlong forms, no surrogates, nothing above U+10FFFF. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the character at the beginning of n bytes (1 or more). Returns its length in bytes; 0 if
 * the bytes are not a character. */
size_t utf8_decode(const char *text, size_t n, uint32_t *character);
/* Whether n bytes are characters and nothing else. */
bool utf8_is_valid(const char *text, size_t n);
