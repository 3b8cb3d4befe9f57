/* unicode: characters and what they consist of (Unicode Standard, 3.7 and 3.11). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

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
/* Appends raised UTF-8 text, if each of its characters has a raised one: numbers, their signs, and
 * the letters of notes after a number, but none of a word, such as the ending of "4th". False:
 * nothing was appended. */
bool unicode_put_raised(const char *text, size_t n, struct buf *out);
/* The same, but other text is appended as it is, after '^' if it would be taken for digits of a
 * number that `out` ends with. */
void unicode_put_raised_text(const char *text, size_t n, struct buf *out);
/* The length of the raised character that a text ends with, in bytes; 0: it ends with another. */
size_t unicode_raised_end(const char *text, size_t n);
