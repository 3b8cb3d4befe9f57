/* id: identifiers that cannot be guessed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A UUID version 7 (RFC 9562, section 5.7) as text: ordered by time, with 74 random bits. */
#define ID_TEXT 37
void id_new(char out[static ID_TEXT]);
/* Whether the text has the form of id_new's (lower-case hex). Whether the id exists is not
 * checked. */
bool id_is_valid(const char *text);

/* Writes n random letters and digits (about 5.95 bits each) and a NUL. */
void id_secret(char *out, size_t n);
/* Writes n random bytes from the kernel. Ends the process if the kernel cannot give them. */
void id_random(void *out, size_t n);
