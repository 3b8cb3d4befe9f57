/* saslprep: passwords made comparable (RFC 4013), for new ones and for those that open a PDF. */
#pragma once

#include <stddef.h>

/* How much room the prepared form of a text of n bytes may need, its NUL included. */
#define SASLPREP_ROOM(n) ((n) *8 + 32)

/*
 * Prepares `text` in place; it has room for `cap` bytes. -1 if it is no UTF-8 or holds what the
 * profile forbids. Its rule against mixing writing directions (RFC 3454, section 6) is left out:
 * it would refuse an Arabic word with a digit at its end.
 */
int saslprep(char *text, size_t cap);
