/* url_password: a password in an address, "scheme://user:password@host/..." or "...?password=...".
 */
#pragma once

#include <stdbool.h>

bool url_password_is_in(const char *url);
/* Takes it out of the text. */
void url_password_hide(char *url);
