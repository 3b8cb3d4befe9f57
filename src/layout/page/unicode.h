/* unicode: characters and what they consist of (Unicode Standard, 3.7 and 3.11). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In place of a character: a stroke that makes an Arabic word longer, and is not written. Unicode
 * keeps the code free for such uses. */
#define UNICODE_KASHIDA 0xfdd0

/* The characters that a Latin ligature or an Arabic presentation form represents, most often c
 * itself. Returns how many there are. */
size_t unicode_plain(uint32_t c, uint32_t plain[static 4]);
/* The character that a letter and a combining mark are together; 0: there is none. */
uint32_t unicode_compose(uint32_t letter, uint32_t mark);
/* Whether a document may contain the character (XML 1.0, 2.2). */
bool unicode_is_text(uint32_t c);
