/* forms: presentation forms and other characters with a compatibility decomposition (Unicode). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decomposes c into plain characters, most often c itself, and returns how many there are. */
size_t forms_plain(uint32_t c, uint32_t plain[static 4]);
/* Writes c as UTF-8 (at most 4 bytes, no NUL) and returns the number of bytes. */
size_t forms_utf8(uint32_t c, char *out);
/* Whether a document may contain the character (XML 1.0, 2.2). */
bool forms_is_text(uint32_t c);
