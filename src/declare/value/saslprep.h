/* saslprep: normalises passwords (RFC 4013), new ones and those that open a PDF. */
#pragma once

#include <stddef.h>

/* Room that the prepared form of a text of n bytes may need, its NUL included. */
#define SASLPREP_ROOM(n) ((n) *8 + 32)

/*
 * Prepares `text` in place; it has room for `cap` bytes. -1 if it is not UTF-8 or contains what the
 * profile prohibits. The rule against mixed directions (RFC 3454, section 6) is not applied: it
 * would refuse an Arabic word that ends in a digit.
 */
int saslprep(char *text, size_t cap);
