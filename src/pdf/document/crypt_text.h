/* crypt_text: encrypts the strings in the text of an object (ISO 32000-2, 7.3.4 and 7.6.3). */
#pragma once

#include "base/buf.h"
#include "pdf/document/crypt.h"

/* Encrypts the strings in `text`: PDF syntax without comments, of the object with that number and
 * generation 0. `text` is changed in place: every string becomes a hexadecimal one. text->failed
 * without memory. */
void crypt_strings(const struct crypt *crypt, int number, struct buf *text);
