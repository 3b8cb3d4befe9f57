/* redact_entity: character references and predefined entities of XML (XML 1.0, 4.1 and 4.6). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Reads the reference that the text begins with, such as "&#65;", "&#x41;" or "&amp;". Returns its
 * length in bytes and sets *code to its character, at most U+10FFFF; 0: there is none. */
size_t redact_entity(const char *text, size_t n, uint32_t *code);
