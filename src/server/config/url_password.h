/* url_password: a password in an address, "scheme://user:password@host/..." or "...?password=...".
 */
#pragma once

#include <stdbool.h>

/* Whether the address has a password. */
bool url_password_is_in(const char *url);
/* Removes the password from the address, in place. */
void url_password_hide(char *url);
