/* redact_known: names that content and maps of characters have because a format defines them: a
 * removed text that is one of these words ("Figure", "Link", "Adobe") is not meant by them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether the name, without its solidus, is one of content streams (ISO 32000-2, 7.8, 8.6, 8.9.7,
 * 14.6, 14.8) or of CMaps (9.7.5). */
bool redact_known_name(const char *name, size_t n);
/* Whether it is a key that a dictionary has by ISO 32000-2, an earlier version or a standard that
 * these refer to, and not one that a document or a program made up. */
bool redact_known_key(const char *name, size_t n);
/* Whether it is one of all these, or a name that such a key may have as its value. */
bool redact_known_value(const char *name, size_t n);
