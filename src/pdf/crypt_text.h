/* crypt_text: the strings of an object encrypted, in its text (ISO 32000-2, 7.3.4 and 7.6.3). */
#pragma once

#include "base/buf.h"
#include "pdf/crypt.h"

/* `text`: PDF syntax without comments, of the object with that number and generation 0. In place:
 * every string becomes one of hexadecimal digits. text->failed without memory. */
void crypt_strings(const struct crypt *crypt, int number, struct buf *text);
