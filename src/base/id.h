/* id: names that nobody can guess. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A UUID version 7 (RFC 9562, section 5.7) in its text form: ordered by time, 74 random bits. */
#define ID_TEXT 37
void id_new(char out[static ID_TEXT]);
/* Whether the text has the form id_new gives (lower-case hex). Says nothing of existence. */
bool id_is_valid(const char *text);

/* n random letters and digits (about 5.95 bits each) and a NUL. */
void id_secret(char *out, size_t n);
/* n random bytes from the kernel. Ends the process if the kernel has none. */
void id_random(void *out, size_t n);
